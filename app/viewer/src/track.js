// What a run looks like at instants a fixed interval apart, as far as it has been handed over, and between them.
import { Matrix4, Quaternion, Vector3 } from 'three'

const WIDTH = 12 // numbers of a mesh: a 3x4 matrix, row by row
const SAME_POSE = 0.94 // cosine of half the turn beyond which two poses are no motion: an arrow that turns over
const ROUND = new Set(['ellipsoid', 'cage']) // their stretch is a symmetric matrix, which is what changes smoothly

export const FAR = 5 // intervals between two instants between which there may be a picture

// One message of instants, as `piece` in viewer.py packs it: the time of each, the runs of meshes that any of them shows,
// and for each instant the rows of these; a row of zeros is hidden.
export class Piece {
  static MARK = 0xffffffff // in the place of a frame's scene version

  constructor(buffer) {
    const [, version, track, number, first, stride, count, runs] = new Uint32Array(buffer, 0, 8)
    Object.assign(this, { version, track, number, first, stride, count })
    this.times = new Float64Array(buffer, 32, count)
    this.runs = new Uint32Array(buffer, 32 + 8 * count, 2 * runs)
    this.rows = 0
    this.rowOf = new Map()
    for (let i = 0; i < this.runs.length; i += 2) {
      for (let mesh = this.runs[i]; mesh < this.runs[i + 1]; mesh += 1, this.rows += 1) this.rowOf.set(mesh, this.rows)
    }
    this.poses = new Float32Array(buffer, 32 + 8 * count + 8 * runs)
  }

  // Whether it says as much as it promises, of meshes that there are.
  fits(meshes) {
    return this.poses.length === this.count * this.rows * WIDTH && (this.runs.at(-1) ?? 0) <= meshes
  }
}

export class Track {
  constructor(number, interval) {
    this.number = number
    this.interval = interval
    this.instants = new Map()
    this.last = -1 // index
    this.first = 0 // index, the oldest that is kept
  }

  // What lies before a time is over for good.
  forget(time) {
    for (const end = Math.ceil(time / this.interval - 1e-6); this.first < end; this.first += 1) this.instants.delete(this.first)
  }

  take(piece) {
    for (let k = 0; k < piece.count; k += 1) {
      const index = piece.first + k * piece.stride
      this.last = Math.max(this.last, index)
      this.instants.set(index, { piece, time: piece.times[k], at: k * piece.rows })
    }
  }

  // The instants round a time, or nothing where there is none near enough. Where some are missing for good, in which the
  // mechanics has no solution, the one before is shown until the next.
  round(time, far = FAR) {
    const here = Math.floor(time / this.interval + 1e-6)
    const first = this.near(here, -1, far)
    const second = this.near(here + 1, 1, far)
    if (far > FAR && (!first || !second || !this.near(here, -1, FAR) || !this.near(here + 1, 1, FAR))) {
      const only = first ?? second
      return only && [only, only]
    }
    if (!first) return null
    if (time <= first.time + 1e-9) return [first, first]
    return second ? [first, second] : null
  }

  near(index, step, far) {
    const edge = step < 0 ? index : this.last - index
    for (let k = 0; k < far && k <= edge; k += 1) {
      const found = this.instants.get(index + k * step)
      if (found) return found
    }
    return null
  }

  covers(time, far) {
    return this.round(time, far) !== null
  }

  // The picture at a time that is covered, as a frame: bodies turn on the sphere, ellipsoids change as matrices do.
  at(time, kindOf, far) {
    const [first, second] = this.round(time, far)
    const { piece } = first
    const transforms = new Float32Array(piece.rows * WIDTH)
    const share = first === second ? 0 : Math.min((time - first.time) / (second.time - first.time), 1)
    let row = 0
    for (let i = 0; i < piece.runs.length; i += 2) {
      for (let mesh = piece.runs[i]; mesh < piece.runs[i + 1]; mesh += 1, row += 1) {
        const one = piece.poses.subarray((first.at + row) * WIDTH, (first.at + row + 1) * WIDTH)
        const other = second.piece.rowOf.get(mesh)
        const next = other === undefined ? one
          : second.piece.poses.subarray((second.at + other) * WIDTH, (second.at + other + 1) * WIDTH)
        between(one, next, share, kindOf(mesh), transforms, row * WIDTH)
      }
    }
    return { runs: piece.runs, transforms, time }
  }
}

function* rowsOf({ runs, transforms }) {
  for (let i = 0, row = 0; i < runs.length; i += 2) {
    for (let mesh = runs[i]; mesh < runs[i + 1]; mesh += 1, row += 1) {
      yield [mesh, transforms.subarray(row * WIDTH, (row + 1) * WIDTH)]
    }
  }
}

// A picture in which the meshes of some runs are as another has them, or hidden where there is no other.
export function exchanged(picture, runs, other) {
  const whose = new Set()
  for (let i = 0; i < runs.length; i += 2) for (let mesh = runs[i]; mesh < runs[i + 1]; mesh += 1) whose.add(mesh)
  const rows = [...rowsOf(picture)].filter(([mesh]) => !whose.has(mesh))
  if (other) rows.push(...[...rowsOf(other)].filter(([mesh]) => whose.has(mesh)))
  rows.sort(([one], [next]) => one - next)
  const transforms = new Float32Array(rows.length * WIDTH)
  rows.forEach(([, row], at) => transforms.set(row, at * WIDTH))
  return { ...picture, runs: rows.flatMap(([mesh]) => [mesh, mesh + 1]), transforms }
}

const matrix = new Matrix4()
const [place, otherPlace, scale, otherScale] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()]
const [turn, otherTurn] = [new Quaternion(), new Quaternion()]

function read(pose, toPlace, toTurn, toScale) {
  matrix.set(...pose, 0, 0, 0, 1)
  matrix.decompose(toPlace, toTurn, toScale)
}

const isHidden = (pose) => pose.every((x, i) => i % 4 === 3 || x === 0)

// Writes the pose a share of the way from one to the other; beside one that is hidden there is nothing between.
export function between(one, other, share, kind, out, at) {
  if (share === 0 || isHidden(one) || isHidden(other)) out.set(one, at)
  else if (ROUND.has(kind)) {
    for (let i = 0; i < WIDTH; i += 1) out[at + i] = one[i] + share * (other[i] - one[i])
  } else {
    read(one, place, turn, scale)
    read(other, otherPlace, otherTurn, otherScale)
    if (![turn.w, otherTurn.w].every(Number.isFinite) || Math.abs(turn.dot(otherTurn)) < SAME_POSE) {
      out.set(share < 0.5 ? one : other, at)
      return
    }
    place.lerp(otherPlace, share)
    scale.lerp(otherScale, share)
    turn.slerp(otherTurn, share)
    const e = matrix.compose(place, turn, scale).elements
    for (let r = 0; r < 3; r += 1) for (let c = 0; c < 4; c += 1) out[at + 4 * r + c] = e[4 * c + r]
  }
}
