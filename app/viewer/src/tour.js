// Views that a key or a button leads to, and the turntable: the camera moves by itself until somebody takes it in hand.
import { Vector3 } from 'three'
import { Flight, cartesian, spherical } from './flight.js'

const TURN = (2 * Math.PI) / 30000 // rad/ms
const HITCH_MS = 250 // of turning that one picture may make up for
const STILL = matchMedia('(prefers-reduced-motion: reduce)')

// From what is looked at to the camera: x leads forward, z up; null is the page's own view.
const VIEWS = {
  whole: null,
  front: new Vector3(1, 0, 0),
  side: new Vector3(0, -1, 0),
  top: new Vector3(0, -1e-3, 1).normalize(),
}
export const KEYS_OF_VIEWS = { 0: 'whole', 1: 'front', 2: 'side', 3: 'top', t: 'turntable' }

export class Tour {
  // `show`: whom to tell whether the turntable is on.
  constructor(rig, show) {
    this.rig = rig
    this.show = show
    this.flight = null // to another view
    this.turned = 0 // ms of the display when the turntable last moved, while it is on
  }

  get isMoving() {
    return !!this.flight || !!this.turned
  }

  // One of VIEWS, with all of the corners (m, world) in it, or the turntable.
  choose(name, corners) {
    if (name === 'turntable') this.turntable(!this.turned, corners)
    else if (name in VIEWS && this.rig.start) this.view(VIEWS[name], corners)
  }

  view(direction, corners) {
    const { rig } = this
    this.stop()
    const from = { position: rig.camera.position.clone(), target: rig.target.clone() }
    const to = direction ? rig.from(direction, corners) : rig.home()
    rig.moved = rig.holds = direction !== null
    if (STILL.matches) rig.stand(to)
    else this.flight = new Flight(from, to, performance.now())
    if (!this.flight || !direction) rig.tell()
    rig.changed()
  }

  // Slowly round what is looked at; what is whole in the picture stays so.
  turntable(on, corners = []) {
    if (on === !!this.turned) return
    this.flight = null
    if (on) {
      this.rig.moved = true
      this.rig.holds = this.rig.inPicture(corners) === 1
    }
    this.turned = on ? performance.now() : 0
    if (!on) this.rig.tell()
    this.show(on)
    this.rig.changed()
  }

  stop() {
    this.flight = null
    this.turntable(false)
  }

  // Puts the camera where it has come to, at a time of the display (ms).
  advance(now) {
    const { rig, flight } = this
    if (this.turned) {
      const s = spherical(rig.camera.position.clone().sub(rig.target))
      s.theta += TURN * Math.min(Math.max(now - this.turned, 0), HITCH_MS)
      this.turned = now
      if (!rig.moved) rig.moved = rig.holds = true // another machine came
      rig.stand({ target: rig.target.clone(), position: cartesian(s).add(rig.target) })
    } else if (flight) {
      rig.stand(flight.at(now))
      if (!flight.over) return
      this.flight = null
      if (rig.moved) rig.tell()
    }
  }
}
