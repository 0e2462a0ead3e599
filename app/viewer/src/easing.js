// One still picture goes over into the next: what is drawn of the computation moves, grows or flattens on the way.
const EASE_MS = 600
const DRAWN = new Set(['ellipsoid', 'cage', 'arrow']) // bodies and marks stand where the moment has them

const rowOf = (mesh) => {
  const e = mesh.matrixWorld.elements
  return [0, 1, 2].flatMap((row) => [0, 1, 2, 3].map((column) => e[4 * column + row]))
}

export class Easing {
  // `grown`: pairs of a mesh that is new and the one that it comes from. Matrices of ellipsoids are symmetric roots,
  // those of arrows one stretch along the vector: between two of them lies one of the same sort.
  constructor(meshes, frame, grown, now) {
    this.frame = frame
    this.start = now
    const origins = new Map(grown)
    this.moved = []
    let row = 0
    for (let i = 0; i < frame.runs.length; i += 2) {
      for (let k = frame.runs[i]; k < frame.runs[i + 1]; k += 1, row += 1) {
        if (!DRAWN.has(meshes[k].userData.kind)) continue
        const origin = meshes[meshes[k].visible && !origins.has(k) ? k : origins.get(k) ?? -1]
        if (origin?.visible) this.moved.push([12 * row, rowOf(origin)])
      }
    }
    this.end = frame.transforms.slice()
  }

  // The picture at a time of the display, ms; `over` says whether it is the last.
  at(now) {
    const share = Math.min(Math.max((now - this.start) / EASE_MS, 0), 1)
    const gone = share * share * (3 - 2 * share)
    for (const [at, from] of this.moved) {
      for (let k = 0; k < 12; k += 1) this.frame.transforms[at + k] = from[k] + gone * (this.end[at + k] - from[k])
    }
    this.over = share === 1 || !this.moved.length
    return this.frame
  }
}
