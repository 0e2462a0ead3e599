// One message of transforms: header (as HEADER in viewer.py), the runs of visible meshes, and twelve floats
// for each of these; whatever is in no run is hidden.
export class Frame {
  constructor(buffer) {
    const header = new DataView(buffer, 0, 28)
    this.version = header.getUint32(0, true)
    this.number = header.getUint32(4, true)
    this.sent = header.getFloat64(8, true)
    this.moment = header.getFloat64(16, true) // s of the run that it shows; NaN where there is no run
    const count = header.getUint32(24, true)
    this.runs = new Uint32Array(buffer, 28, 2 * count) // first, end, first, end, ...
    this.transforms = new Float32Array(buffer, 28 + 8 * count)
  }

  // Whether it is a frame of a scene with so many meshes.
  fits(meshes) {
    let rows = 0
    for (let i = 0; i < this.runs.length; i += 2) rows += this.runs[i + 1] - this.runs[i]
    return this.transforms.length === 12 * rows && (this.runs.at(-1) ?? 0) <= meshes
  }
}

// All meshes of a scene, one after another.
export const whole = (transforms) => ({ runs: [0, transforms.length / 12], transforms })
