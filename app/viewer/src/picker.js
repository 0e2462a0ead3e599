// A click without a drag selects the mesh under it, or nothing.
import { Raycaster, Vector2 } from 'three'

export const STILL_PX = 5 // of travel, up to which a press is a click
const AGAIN_MS = 250 // between two looks at what moves under a pointer that rests
const movesAsBody = ({ kind, link }) => kind === 'object' || (kind === 'link' && link != null)
export const isBase = ({ kind, link, arm }) => kind === 'link' && link == null && arm != null
const PASSIVE = new Set(['ground', 'ghost', 'trail'])

export class Picker {
  constructor(canvas, camera, actors, select, { takes, takesBases, changed }) {
    this.canvas = canvas
    this.camera = camera
    this.actors = actors
    this.takes = takes // whether bodies can be taken hold of
    this.takesBases = takesBases // and what arms stand on
    this.changed = changed
    this.pointer = null // where it was last
    this.pressed = false
    this.looked = 0
    this.ray = new Raycaster()
    let down = null
    this.listeners = {
      pointerdown: (event) => { down = event.isPrimary && event.button === 0 ? [event.clientX, event.clientY] : null },
      pointerup: (event) => {
        if (!down || !event.isPrimary) return
        const travel = Math.hypot(event.clientX - down[0], event.clientY - down[1])
        down = null
        if (travel <= STILL_PX) select(this.at(event.clientX, event.clientY))
      },
      pointermove: (event) => {
        this.pointer = [event.clientX, event.clientY]
        this.pressed = event.buttons > 0
        if (!this.pressed) this.hovering ||= requestAnimationFrame(() => this.hover())
      },
      pointerleave: () => {
        this.pointer = null
        this.mark(null)
      },
    }
    for (const [name, listener] of Object.entries(this.listeners)) canvas.addEventListener(name, listener)
  }

  // What is under the pointer: a body that can be taken hold of wears a rim, whatever else answers to a click does not.
  hover() {
    this.hovering = 0
    if (!this.pointer) return
    this.looked = performance.now()
    const under = this.at(...this.pointer)
    const body = this.takes() ? this.bodyAt(...this.pointer)?.mesh : null
    this.canvas.style.cursor = body ? 'grab' : under >= 0 ? 'pointer' : 'default'
    this.canvas.title = this.actors.meshes[under]?.userData.name ?? ''
    this.mark(body ?? null)
  }

  // Bodies that move go through under a pointer that rests.
  again() {
    if (this.pointer && !this.pressed && performance.now() - this.looked > AGAIN_MS) this.hovering ||= requestAnimationFrame(() => this.hover())
  }

  mark(body) {
    if (this.actors.hover(body)) this.changed()
    this.canvas.dataset.hovered = body?.userData.name ?? ''
  }

  rayAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect()
    const point = new Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height)
    this.ray.setFromCamera(point, this.camera)
    return this.ray.ray
  }

  at(clientX, clientY) {
    this.rayAt(clientX, clientY)
    const size = (mesh) => Math.abs(mesh.matrixWorld.determinant())
    const candidates = this.actors.meshes.filter((mesh) => mesh.visible && !PASSIVE.has(mesh.userData.kind)
      && size(mesh) > 1e-18)
    const hits = this.ray.intersectObjects(candidates, false).map(({ object }) => object)
    // What shows through an ellipsoid goes first, and of ellipsoids the smallest: the large ones enclose it.
    const solid = hits.find((object) => !object.material.transparent)
    const chosen = solid ?? hits.reduce((least, object) => (least && size(least) <= size(object) ? least : object), null)
    return chosen?.userData.index ?? -1
  }

  // The body under the pointer, whatever glass is in front of it, and the point (m, world) that was hit.
  bodyAt(clientX, clientY) {
    this.rayAt(clientX, clientY)
    const moves = (mesh) => movesAsBody(mesh.userData) || (this.takesBases() && isBase(mesh.userData))
    const bodies = this.actors.meshes.filter((mesh) => mesh.visible && moves(mesh))
    const [hit] = this.ray.intersectObjects(bodies, false)
    return hit && { mesh: hit.object, point: hit.point }
  }

  dispose() {
    cancelAnimationFrame(this.hovering)
    for (const [name, listener] of Object.entries(this.listeners)) this.canvas.removeEventListener(name, listener)
  }
}
