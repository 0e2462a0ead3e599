// The user's camera: orbit, pan and zoom by mouse, touch and keys. Python only suggests where it starts.
import { PerspectiveCamera, Spherical, Vector3 } from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'

const FIELD_OF_VIEW = 38 // degrees
const DIRECTION = new Vector3(1.0, -1.55, 0.72).normalize() // from the target to the camera when nothing is suggested
const FILL = 0.86 // of the picture, by the bodies
const BRIM = 0.96 // of the picture, beyond which a motion makes the camera step back
const LEAST = 0.5 // of another machine's corners, that the user's view must show to be kept
const FARTHEST = 2 // times the first distance, for what flies away
const TURN = Math.PI / 36
const PAN = 0.04 // of the distance
const ZOOM = 1.12

const KEYS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
}

export class CameraRig {
  constructor(canvas, changed, escape) {
    this.canvas = canvas
    this.changed = changed
    this.escape = escape
    this.camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 0.01, 100)
    this.camera.up.set(0, 0, 1)
    this.controls = new OrbitControls(this.camera, canvas)
    this.controls.enableDamping = false
    this.radius = 1
    this.start = null
    this.moved = false // by the user: from then on nothing else moves it but a reset
    let held = false
    this.controls.addEventListener('start', () => { held = true })
    this.controls.addEventListener('end', () => {
      held = false
      this.tell()
    })
    this.controls.addEventListener('change', () => {
      if (held) {
        this.moved = true
        window.dispatchEvent(new CustomEvent('armsweep-turning', { detail: this.describe() }))
      }
      this.changed()
    })
    this.onLook = ({ detail }) => this.look(detail)
    window.addEventListener('armsweep-look', this.onLook)
    this.onKey = (event) => this.key(event)
    this.onDouble = () => this.reset()
    canvas.addEventListener('keydown', this.onKey)
    canvas.addEventListener('dblclick', this.onDouble)
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
  }

  // Another's view is shown, as `describe` writes it; an empty one is the page's own.
  look(text) {
    this.moved = false
    this.recall(text)
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

  suggest(camera, { corners, center, radius }) {
    const isFirst = !this.start // with a view that came by a link, it may be
    this.radius = radius
    this.start = { camera, corners, center }
    this.controls.minDistance = radius * 0.05
    this.controls.maxDistance = radius * 40
    if (this.moved && !isFirst && this.inPicture(corners) < LEAST) {
      this.moved = false
      this.tell()
    }
    if (!this.moved) this.place()
  }

  // Which share of the corners is seen: a view into one machine's elbow may lie inside another machine.
  inPicture(corners) {
    const camera = this.prepare()
    const seen = corners.map((corner) => corner.clone().project(camera))
      .filter(({ x, y, z }) => Math.abs(x) <= 1 && Math.abs(y) <= 1 && z <= 1)
    return seen.length / Math.max(corners.length, 1)
  }

  // A machine that reaches out of the picture is followed by stepping back, until the user has moved the camera.
  include(corners) {
    if (this.moved || !this.start || this.start.camera) return
    const first = this.distanceFor(this.start.corners, this.start.center)
    const needed = Math.min(this.distanceFor(corners, this.start.center, BRIM), FARTHEST * first)
    if (needed <= Math.max(first, this.start.distance ?? 0)) return
    this.start.distance = needed
    this.place()
  }

  place() {
    if (!this.start) return
    const { camera, corners, center, distance = 0 } = this.start
    if (camera?.position && camera?.target) {
      this.controls.target.fromArray(camera.target)
      this.camera.position.fromArray(camera.position)
    } else {
      this.controls.target.copy(center)
      this.camera.position.copy(center).addScaledVector(DIRECTION, Math.max(distance, this.distanceFor(corners, center)))
    }
    this.controls.update()
    this.changed()
  }

  // How far along DIRECTION the camera has to be from `center` for every corner to be in the picture.
  distanceFor(corners, center, fill = FILL) {
    const right = new Vector3().crossVectors(this.camera.up, DIRECTION).normalize()
    const up = new Vector3().crossVectors(DIRECTION, right)
    const tangent = Math.tan((FIELD_OF_VIEW * Math.PI) / 360) * fill
    return Math.max(...corners.map((corner) => {
      const p = corner.clone().sub(center)
      const sideways = Math.max(Math.abs(p.dot(right)) / this.camera.aspect, Math.abs(p.dot(up)))
      return p.dot(DIRECTION) + sideways / tangent
    }))
  }

  reset() {
    this.moved = false
    this.place()
    this.tell()
  }

  resize(width, height) {
    this.camera.aspect = width / height
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
    else if (event.key === 'Home') this.reset()
    else if (event.key === 'Escape') this.escape()
    else return
    event.preventDefault()
    event.stopPropagation() // keys used here do not also step the page's timeline
  }

  turn(right, up) {
    const offset = this.camera.position.clone().sub(this.target)
    const s = new Spherical().setFromCartesianCoords(offset.x, offset.z, -offset.y)
    s.theta += right * TURN
    s.phi = Math.min(Math.max(s.phi - up * TURN, 0.01), Math.PI - 0.01)
    const v = new Vector3().setFromSpherical(s)
    this.put(this.target, new Vector3(v.x, -v.z, v.y).add(this.target))
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
    this.moved = true
    this.controls.target.copy(target)
    this.camera.position.copy(position)
    this.controls.update()
    this.changed()
    this.tell()
  }

  dispose() {
    this.canvas.removeEventListener('keydown', this.onKey)
    this.canvas.removeEventListener('dblclick', this.onDouble)
    window.removeEventListener('armsweep-look', this.onLook)
    this.controls.dispose()
  }
}
