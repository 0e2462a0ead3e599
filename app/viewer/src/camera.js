// The user's camera: orbit, pan and zoom by mouse, touch and keys. Python only suggests where it starts.
import { PerspectiveCamera, Vector3 } from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { cartesian, spherical } from './flight.js'
import { KEYS_OF_VIEWS, Tour } from './tour.js'

const FIELD_OF_VIEW = 38 // degrees
const DIRECTION = new Vector3(1.0, -1.55, 0.72).normalize() // from the target to the camera when nothing is suggested
const FILL = 0.86 // of the picture, by the bodies
const BRIM = 0.96 // of the picture, beyond which a motion makes the camera step back
const LEAST = 0.5 // of another machine's corners, that a view which came with a link must show to be kept
const FARTHEST = 2 // times the first distance, for what flies away
const TURN = Math.PI / 36
const PAN = 0.04 // of the distance
const ZOOM = 1.12
const ABOVE = 0.02 // of the distance, by which the camera stays above the floor

const KEYS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
}

export class CameraRig {
  constructor(canvas, { changed, escape, choose, showTurning }) {
    this.canvas = canvas
    Object.assign(this, { changed, escape, choose })
    this.camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100)
    this.camera.up.set(0, 0, 1)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.enableDamping = false
    this.radius = 1
    this.start = null
    this.moved = false // by the user: from then on nothing else moves it but a reset or another machine
    this.holds = false // all that is drawn: a view that a button led to, as long as no hand moves it
    this.floor = null // m, where there is one: the camera stays above it
    this.tour = new Tour(this, showTurning)
    let held = false
    this.controls.addEventListener('start', () => {
      held = true
      this.tour.flight = null
    })
    this.controls.addEventListener('end', () => {
      held = false
      this.tell()
    })
    this.controls.addEventListener('change', () => {
      this.keepAbove()
      if (held) {
        this.moved = true
        window.dispatchEvent(new CustomEvent('armsweep-turning', { detail: this.describe() }))
      }
      this.changed()
    })
    this.onLook = ({ detail }) => this.look(detail)
    window.addEventListener('armsweep-look', this.onLook)
    this.onKey = (event) => this.key(event)
    this.onDouble = () => this.choose('whole')
    this.onHand = ({ buttons }) => { if (buttons) this.tour.turntable(false) } // whoever drags has it in hand
    canvas.addEventListener('keydown', this.onKey)
    canvas.addEventListener('dblclick', this.onDouble)
    canvas.addEventListener('pointermove', this.onHand)
    this.recall(new URLSearchParams(window.location.search).get('camera'))
  }

  // A link brings the view of whoever sent it: "position target" as `describe` writes it.
  recall(text) {
    const numbers = (text ?? '').trim().split(/[ +]/).map(Number)
    if (numbers.length !== 6 || !numbers.every((x) => Number.isFinite(x) && Math.abs(x) < 1e4)) return
    if (numbers.slice(0, 3).every((x, i) => x === numbers[3 + i])) return
    this.controls.target.fromArray(numbers, 3)
    this.camera.position.fromArray(numbers)
    this.controls.update()
    this.moved = true
    this.recalled = true
  }

  // Whether the view is somebody's own; `recalled` is one that came with a link or from a lecturer.
  get moved() {
    return this.isMoved
  }

  set moved(is) {
    this.isMoved = is
    this.recalled = this.holds = false
  }

  // Another's view is shown, as `describe` writes it; an empty one is the page's own.
  look(text) {
    this.tour.stop()
    this.moved = false
    this.recall(text)
    this.keepAbove()
    if (!this.moved) this.place()
    this.changed()
  }

  // The page's address carries the user's view; an empty one where the view is the page's own.
  tell() {
    window.dispatchEvent(new CustomEvent('armsweep-camera', { detail: this.moved ? this.describe() : '' }))
  }

  get target() {
    return this.controls.target
  }

  // "position target" in metres, as a reader of the page sees it.
  describe() {
    return [...this.camera.position.toArray(), ...this.target.toArray()].map((x) => x.toFixed(4)).join(' ')
  }

  suggest(camera, { corners, center, radius }, floor) {
    const isFirst = !this.start // with a view that came by a link, it may be
    this.radius = radius
    this.floor = floor ?? null
    this.start = { camera, corners, center }
    this.controls.minDistance = radius * 0.05
    this.controls.maxDistance = radius * 40
    if (this.moved && !isFirst && (!this.recalled || this.inPicture(corners) < LEAST)) {
      this.moved = false
      this.tell()
    }
    if (!this.moved) this.place()
    this.keepAbove()
  }

  // Which share of the corners is seen: a view into one machine's elbow may lie inside another machine.
  inPicture(corners) {
    const camera = this.prepare()
    const seen = corners.map((corner) => corner.clone().project(camera))
      .filter(({ x, y, z }) => Math.abs(x) <= 1 && Math.abs(y) <= 1 && z <= 1)
    return seen.length / Math.max(corners.length, 1)
  }

  // What reaches out of the picture is followed by stepping back, until the user has moved the camera.
  include(corners) {
    if (this.start && this.holds && !this.tour.flight) this.widen(corners)
    if (this.moved || !this.start || this.start.camera) return
    const first = this.distanceFor(this.start.corners, this.start.center)
    const needed = Math.min(this.distanceFor(corners, this.start.center, BRIM), FARTHEST * first)
    if (needed <= Math.max(first, this.start.distance ?? 0)) return
    this.start.distance = needed
    this.place()
  }

  // Steps back from what is looked at, as far as these corners (m, world) need it.
  widen(corners) {
    const offset = this.camera.position.clone().sub(this.target)
    const direction = offset.clone().normalize()
    const first = this.distanceFor(this.start.corners, this.target, FILL, direction)
    const needed = Math.min(this.distanceFor(corners, this.target, BRIM, direction), FARTHEST * first)
    if (needed <= offset.length()) return
    this.stand({ target: this.target.clone(), position: this.target.clone().addScaledVector(direction, needed) })
  }

  place() {
    if (!this.start) return
    const home = this.home()
    if (this.tour.flight) this.tour.flight.to = home // it was on its way there
    else this.stand(home)
    this.changed()
  }

  // The page's own view.
  home() {
    const { camera, corners, center, distance = 0 } = this.start
    if (camera?.position && camera?.target) {
      return { position: new Vector3().fromArray(camera.position), target: new Vector3().fromArray(camera.target) }
    }
    const far = Math.max(distance, this.distanceFor(corners, center))
    return { position: center.clone().addScaledVector(DIRECTION, far), target: center.clone() }
  }

  // From a direction, with the machine as it began and these corners (m, world) in the picture.
  from(direction, corners) {
    const target = this.start.center.clone()
    const far = this.distanceFor([...this.start.corners, ...corners], target, FILL, direction)
    return { position: target.clone().addScaledVector(direction, far), target }
  }

  stand({ position, target }) {
    this.controls.target.copy(target)
    this.camera.position.copy(position)
    this.camera.lookAt(target)
    this.keepAbove()
  }

  // Nobody sees the floor from below: what looks at its underside looks along it instead.
  keepAbove() {
    if (this.floor === null) return
    const { position } = this.camera
    const low = this.floor - this.target.z
    if (low > 0) {
      this.controls.target.z += low
      position.z += low
    }
    const distance = position.distanceTo(this.target)
    const least = this.floor + ABOVE * distance
    if (position.z < least) {
      const offset = position.clone().sub(this.target)
      const height = least - this.target.z
      const across = Math.hypot(offset.x, offset.y)
      const wide = across > 1e-9 ? Math.sqrt(Math.max(distance ** 2 - height ** 2, 0)) / across : 1
      position.set(this.target.x + wide * offset.x, this.target.y + wide * offset.y, least)
      this.camera.lookAt(this.target)
    } else if (low > 0) this.camera.lookAt(this.target)
  }

  // How far along a direction the camera has to be from `center` for every corner to be in the picture.
  distanceFor(corners, center, fill = FILL, direction = DIRECTION) {
    const right = new Vector3().crossVectors(this.camera.up, direction).normalize()
    const up = new Vector3().crossVectors(direction, right)
    const tangent = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * fill
    return Math.max(...corners.map((corner) => {
      const p = corner.clone().sub(center)
      const sideways = Math.max(Math.abs(p.dot(right)) / this.camera.aspect, Math.abs(p.dot(up)))
      return p.dot(direction) + sideways / tangent
    }))
  }

  // The picture fills its canvas; the machine stands in the middle of the room in it that nothing covers (pixels).
  resize(width, height, room) {
    this.camera.aspect = room.width / room.height
    this.camera.setViewOffset(room.width, room.height, -room.left, -room.top, width, height)
    if (!this.moved) this.place()
  }

  // Near and far planes follow the distance: depth precision stays where the robot is.
  prepare() {
    const distance = this.camera.position.distanceTo(this.target)
    this.camera.near = Math.max(distance * 0.02, distance - 12 * this.radius)
    this.camera.far = distance + 12 * this.radius
    this.camera.updateProjectionMatrix()
    this.camera.updateMatrixWorld()
    return this.camera
  }

  key(event) {
    const arrow = KEYS[event.key]
    const held = event.ctrlKey || event.metaKey
    if (event.altKey || (held && !arrow)) return
    if (arrow && held) this.pan(...arrow)
    else if (arrow && event.shiftKey) this.turn(...arrow)
    else if (arrow) return // the plain arrows walk through the computation, wherever the focus is
    else if (event.key === '+' || event.key === '=') this.zoom(1 / ZOOM)
    else if (event.key === '-' || event.key === '_') this.zoom(ZOOM)
    else if (event.key === 'Home') this.choose('whole')
    else if (event.key.toLowerCase() in KEYS_OF_VIEWS && !held) this.choose(KEYS_OF_VIEWS[event.key.toLowerCase()])
    else if (event.key === 'Escape') this.escape()
    else return
    event.preventDefault()
    event.stopPropagation() // keys used here do not also step the page's timeline
  }

  turn(right, up) {
    const s = spherical(this.camera.position.clone().sub(this.target))
    s.theta += right * TURN
    s.phi = Math.min(Math.max(s.phi - up * TURN, 0.01), Math.PI - 0.01)
    this.put(this.target, cartesian(s).add(this.target))
  }

  pan(right, up) {
    const step = PAN * this.camera.position.distanceTo(this.target)
    const shift = new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 0).multiplyScalar(right * step)
      .addScaledVector(new Vector3().setFromMatrixColumn(this.camera.matrixWorld, 1), up * step)
    this.put(this.target.clone().add(shift), this.camera.position.clone().add(shift))
  }

  zoom(factor) {
    this.put(this.target, this.camera.position.clone().sub(this.target).multiplyScalar(factor).add(this.target))
  }

  put(target, position) {
    this.tour.flight = null
    this.moved = true
    this.controls.target.copy(target)
    this.camera.position.copy(position)
    this.controls.update()
    this.keepAbove()
    this.changed()
    this.tell()
  }

  dispose() {
    this.canvas.removeEventListener('keydown', this.onKey)
    this.canvas.removeEventListener('dblclick', this.onDouble)
    this.canvas.removeEventListener('pointermove', this.onHand)
    window.removeEventListener('armsweep-look', this.onLook)
    this.controls.dispose()
  }
}
