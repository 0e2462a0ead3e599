// Taking hold of a body: press on it and move. On empty space the same gesture turns the view, as it always does.
import { Plane, Vector3 } from 'three'
import { STILL_PX, isBase } from './picker.js'

const PERIOD_MS = 1000 / 30 // between two messages; of several places in between only the newest is sent

export class Drag {
  constructor(canvas, rig, picker, { send, changed }) {
    this.canvas = canvas
    this.rig = rig
    this.picker = picker
    this.send = send
    this.changed = changed
    this.enabled = this.bases = false
    this.held = null
    this.last = 0
    this.listeners = {
      pointerdown: (event) => this.down(event),
      pointermove: (event) => this.move(event),
      pointerup: (event) => this.up(event),
      pointercancel: (event) => this.up(event),
      lostpointercapture: (event) => this.up(event),
    }
    // In the capture phase: the camera's own listener comes later, and finds itself switched off.
    for (const [name, listener] of Object.entries(this.listeners)) canvas.addEventListener(name, listener, true)
    this.onKey = (event) => {
      if (event.key === 'Escape' && this.held) {
        event.stopPropagation()
        this.letGo()
      }
    }
    canvas.addEventListener('keydown', this.onKey, true)
  }

  // The grip as it is drawn: where it is on its mesh now and where it is pulled to, in the world.
  get tether() {
    if (!this.held?.moved) return null
    const { mesh, place, target } = this.held
    return { point: place.clone().applyMatrix4(mesh.matrixWorld), target }
  }

  down(event) {
    if (this.passing) return
    if (!event.isPrimary) {
      this.yieldToCamera()
      return
    }
    if (!this.enabled || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return
    const hit = this.picker.bodyAt(event.clientX, event.clientY)
    if (!hit) return
    const base = isBase(hit.mesh.userData) // which slides over the ground
    const facing = base ? new Vector3(0, 0, 1) : this.rig.camera.getWorldDirection(new Vector3())
    this.held = {
      id: event.pointerId,
      event,
      mesh: hit.mesh,
      place: hit.point.clone().applyMatrix4(hit.mesh.matrixWorld.clone().invert()),
      plane: new Plane().setFromNormalAndCoplanarPoint(facing, hit.point),
      target: hit.point,
      from: [event.clientX, event.clientY],
      moved: false,
    }
    this.rig.controls.enabled = false
    this.canvas.style.cursor = 'grabbing'
    this.canvas.setPointerCapture(event.pointerId)
  }

  // Two fingers zoom and pan, also where the first of them landed on a body.
  yieldToCamera() {
    if (!this.held) return
    const first = this.held.event
    this.letGo()
    this.passing = true
    this.canvas.dispatchEvent(new PointerEvent('pointerdown', first))
    this.passing = false
  }

  move(event) {
    const { held } = this
    if (!held || event.pointerId !== held.id) return
    const travel = Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1])
    if (!held.moved && travel <= STILL_PX) return
    const target = this.picker.rayAt(event.clientX, event.clientY).intersectPlane(held.plane, new Vector3())
    if (!target) return
    held.target = target
    const begins = !held.moved
    held.moved = true
    if (begins) this.tell('start')
    else this.tellSoon()
    this.changed()
  }

  up(event) {
    if (this.held && event.pointerId === this.held.id) this.letGo()
  }

  letGo() {
    const { held } = this
    if (!held) return
    clearTimeout(this.timer)
    this.timer = 0
    if (held.moved) this.tell('end')
    this.held = null
    this.rig.controls.enabled = true
    this.picker.hover()
    if (this.canvas.hasPointerCapture(held.id)) this.canvas.releasePointerCapture(held.id)
    this.changed()
  }

  tellSoon() {
    if (this.timer) return
    this.timer = setTimeout(() => {
      this.timer = 0
      if (this.held) this.tell('move')
    }, Math.max(0, this.last + PERIOD_MS - performance.now()))
  }

  tell(phase) {
    const { mesh, place, target } = this.held
    this.last = performance.now()
    this.send({ phase, mesh: mesh.userData.index, place: place.toArray(), target: target.toArray() })
  }

  // Another scene has other meshes.
  forget() {
    this.letGo()
  }

  dispose() {
    clearTimeout(this.timer)
    for (const [name, listener] of Object.entries(this.listeners)) this.canvas.removeEventListener(name, listener, true)
    this.canvas.removeEventListener('keydown', this.onKey, true)
  }
}
