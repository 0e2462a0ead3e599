// Numbers as a parcel of bytes holds them, by references in its data; `app/replay/curves.py` packs it.
const TYPES = { float32: Float32Array, float64: Float64Array, uint32: Uint32Array, uint16: Uint16Array, uint8: Uint8Array, int16: Int16Array, int8: Int8Array }

export class Parcel {
  constructor({ buffer, from }) {
    this.buffer = buffer
    this.from = from
    this.known = new Map()
  }

  // What a server has sent: the length of the data, the data, and the arrays.
  static read(buffer) {
    const length = Number(new BigUint64Array(buffer, 0, 1)[0])
    return [JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length))), { buffer, from: 8 + length }]
  }

  array({ at, count, type }) {
    return new TYPES[type](this.buffer, this.from + at, count)
  }

  // Rows over instants: each number is kept as what its bytes differ by from those of the one before.
  series(reference) {
    if (!this.known.has(reference.planes)) this.known.set(reference.planes, this.unpacked(reference))
    return this.known.get(reference.planes)
  }

  unpacked({ rows, planes, distinct, instants, type }) {
    const size = type === 'float64' ? 8 : 4
    const steps = new Uint8Array(this.buffer, this.from + planes, distinct * instants * size)
    const bytes = new Uint8Array(steps.length)
    for (let plane = 0; plane < size; plane += 1) {
      for (let row = 0, at = plane * distinct * instants; row < distinct; row += 1) {
        for (let k = 0, byte = 0; k < instants; k += 1, at += 1) {
          byte = (byte + steps[at]) & 255
          bytes[(row * instants + k) * size + plane] = byte
        }
      }
    }
    return new Series(this.array(rows), new TYPES[type](bytes.buffer), instants)
  }
}

class Series {
  constructor(rows, values, instants) {
    Object.assign(this, { rows, values, instants })
  }

  at(row, instant) {
    return this.values[this.rows[row] * this.instants + instant]
  }

  row(k) {
    return this.values.subarray(this.rows[k] * this.instants, (this.rows[k] + 1) * this.instants)
  }
}
