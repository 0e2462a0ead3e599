// A camera on its way from one view to another, round what it looks at.
import { Spherical, Vector3 } from 'three'

const FLIGHT_MS = 450

// With z upwards, as the world has it.
export function spherical(offset) {
  return new Spherical().setFromCartesianCoords(offset.x, offset.z, -offset.y)
}

export function cartesian(s) {
  const v = new Vector3().setFromSpherical(s)
  return new Vector3(v.x, -v.z, v.y)
}

export class Flight {
  // Views: `target` and `position`, m.
  constructor(from, to, now) {
    this.to = to
    this.from = from
    this.start = now
  }

  at(now) {
    const share = Math.min((now - this.start) / FLIGHT_MS, 1)
    const gone = share * share * (3 - 2 * share)
    this.over = share >= 1
    if (this.over) return this.to
    const [a, b] = [this.from, this.to].map(({ position, target }) => spherical(position.clone().sub(target)))
    if (Math.sin(a.phi) < 0.02) a.theta = b.theta // straight above or below it has no side
    const round = Math.atan2(Math.sin(b.theta - a.theta), Math.cos(b.theta - a.theta))
    const target = this.from.target.clone().lerp(this.to.target, gone)
    const offset = new Spherical(
      a.radius * (b.radius / a.radius) ** gone, a.phi + gone * (b.phi - a.phi), a.theta + gone * round,
    )
    return { target, position: cartesian(offset).add(target) }
  }
}
