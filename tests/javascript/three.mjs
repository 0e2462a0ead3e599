// Of three.js what the view's own sources calculate with, from its definitions: the library itself is in the bundle alone.
export class Vector3 {
  constructor(x = 0, y = 0, z = 0) { this.set(x, y, z) }
  set(x, y, z) { return Object.assign(this, { x, y, z }) }
  copy({ x, y, z }) { return this.set(x, y, z) }
  clone() { return new Vector3(this.x, this.y, this.z) }
  toArray() { return [this.x, this.y, this.z] }
  fromArray(list, at = 0) { return this.set(list[at], list[at + 1], list[at + 2]) }
  addScaledVector(v, s) { return this.set(this.x + s * v.x, this.y + s * v.y, this.z + s * v.z) }
  add(v) { return this.addScaledVector(v, 1) }
  sub(v) { return this.addScaledVector(v, -1) }
  multiplyScalar(s) { return this.set(s * this.x, s * this.y, s * this.z) }
  lerp(v, share) { return this.multiplyScalar(1 - share).addScaledVector(v, share) }
  dot(v) { return this.x * v.x + this.y * v.y + this.z * v.z }
  length() { return Math.sqrt(this.dot(this)) }
  normalize() { return this.multiplyScalar(1 / (this.length() || 1)) }
  distanceTo(v) { return this.clone().sub(v).length() }
  crossVectors(a, b) { return this.set(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x) }
  setFromSpherical({ radius, phi, theta }) {
    return this.set(radius * Math.sin(phi) * Math.sin(theta), radius * Math.cos(phi), radius * Math.sin(phi) * Math.cos(theta))
  }
  setFromMatrixColumn({ elements }, column) { return this.fromArray(elements, 4 * column) }
}

export class Spherical {
  constructor(radius = 1, phi = 0, theta = 0) { Object.assign(this, { radius, phi, theta }) }
  setFromCartesianCoords(x, y, z) {
    const radius = Math.hypot(x, y, z)
    return Object.assign(this, { radius, phi: Math.acos(y / (radius || 1)), theta: Math.atan2(x, z) })
  }
}

export class Quaternion {
  dot(q) { return this.x * q.x + this.y * q.y + this.z * q.z + this.w * q.w }
  slerp(other, share) {
    const angle = Math.acos(Math.min(Math.abs(this.dot(other)), 1)), sign = this.dot(other) < 0 ? -1 : 1
    const part = (s) => (angle > 1e-9 ? Math.sin(s * angle) / Math.sin(angle) : s)
    for (const key of "xyzw") this[key] = part(1 - share) * this[key] + sign * part(share) * other[key]
  }
}

export class Matrix4 { // its elements column by column
  set(...rows) { return Object.assign(this, { elements: rows.map((_, k) => rows[4 * (k % 4) + Math.floor(k / 4)]) }) }
  compose(place, { x, y, z, w }, { x: a, y: b, z: c }) {
    return this.set(
      a * (1 - 2 * (y * y + z * z)), b * 2 * (x * y - z * w), c * 2 * (x * z + y * w), place.x,
      a * 2 * (x * y + z * w), b * (1 - 2 * (x * x + z * z)), c * 2 * (y * z - x * w), place.y,
      a * 2 * (x * z - y * w), b * 2 * (y * z + x * w), c * (1 - 2 * (x * x + y * y)), place.z, 0, 0, 0, 1)
  }
  decompose(place, turn, size) {
    place.fromArray(this.elements, 12)
    size.set(...[0, 4, 8].map((at) => Math.hypot(...this.elements.slice(at, at + 3))))
    const r = (row, column) => this.elements[4 * column + row] / size.toArray()[column]
    // The column of 4 (w, x, y, z) (w, x, y, z)ᵀ with the largest diagonal, made a unit vector.
    const odd = (i) => r((i + 2) % 3, (i + 1) % 3) - r((i + 1) % 3, (i + 2) % 3), even = (i, j) => r(i, j) + r(j, i)
    const trace = r(0, 0) + r(1, 1) + r(2, 2), diagonal = [1 + trace, ...[0, 1, 2].map((i) => 1 + 2 * r(i, i) - trace)]
    const best = diagonal.indexOf(Math.max(...diagonal))
    const column = [0, 1, 2, 3].map((k) => (k === best ? diagonal[k] : k * best === 0 ? odd(k + best - 1) : even(k - 1, best - 1)))
    const [w, x, y, z] = column.map((number) => number / Math.hypot(...column))
    Object.assign(turn, { w, x, y, z })
  }
}

export class PerspectiveCamera {
  constructor(fov, aspect) { Object.assign(this, { fov, aspect, position: new Vector3(), up: new Vector3(), matrixWorld: new Matrix4() }) }
  lookAt(target) {
    const back = this.position.clone().sub(target).normalize()
    const right = new Vector3().crossVectors(this.up, back).normalize(), up = new Vector3().crossVectors(back, right)
    this.matrixWorld.set(...["x", "y", "z"].flatMap((key) => [right[key], up[key], back[key], this.position[key]]), 0, 0, 0, 1)
  }
  setViewOffset() {}
}

export class OrbitControls extends EventTarget {
  constructor(camera) { Object.assign(super(), { camera, target: new Vector3() }) }
  update() { this.camera.lookAt(this.target) }
}
