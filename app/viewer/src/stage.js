// Renderer, lights and the draw loop: the newest frame only, in requestAnimationFrame, and only when something changed.
import { Color, Scene, Vector2, WebGLRenderer } from 'three'
import { Actors } from './actors.js'
import { CameraRig } from './camera.js'
import { Drag } from './drag.js'
import { Easing } from './easing.js'
import { whole } from './frame.js'
import { Ground } from './ground.js'
import { Lights, THEMES } from './lights.js'
import { Pace } from './pace.js'
import { Picker } from './picker.js'
import { Shadow } from './shadow.js'
import { Tether } from './tether.js'

const STILL = matchMedia('(prefers-reduced-motion: reduce)')
const PATIENCE_MS = 4000 // for a lost context to come back, before pictures take over
const PLAYED_MS = 150 // since its last picture, for which a player is taken to go on
const SOFT_MS = 30 // between two pictures of a camera that moves by itself, where the processor draws
const LEAST_ROOM = 60 // pixels that nothing covers, for the machine to be put there
const REST_MS = 700 // without a new frame, after which software GL draws once more at double resolution

export class Stage {
  constructor(canvas, room, label, { software }, { select, drag, lost, restored, failed, turning, shaded, ask }) {
    this.canvas = canvas
    this.room = room // an element without a look, as large as what nothing covers
    this.software = software
    this.renderer = new WebGLRenderer({ canvas, antialias: !software, stencil: true, powerPreference: 'high-performance' })
    this.world = new Scene()
    this.world.matrixWorldAutoUpdate = false
    this.lights = new Lights(this.world)
    this.shadow = new Shadow(software)
    this.ground = new Ground(this.world, this.shadow)
    this.pace = new Pace()
    this.shaded = shaded
    this.casts = true // if the user wants a shadow
    this.actors = new Actors(this.world, ask)
    this.rig = new CameraRig(canvas, {
      changed: () => this.request(),
      escape: () => select(-1),
      choose: (view) => this.look(view),
      showTurning: turning,
    })
    this.picker = new Picker(canvas, this.rig.camera, this.actors, select, {
      takes: () => this.drag.enabled, takesBases: () => this.drag.bases, changed: () => this.request(),
    })
    this.drag = new Drag(canvas, this.rig, this.picker, { send: drag, changed: () => this.request() })
    this.tether = new Tether(this.world, label)
    this.renderer.setPixelRatio(this.pixelRatio)
    this.version = -1
    this.frame = this.easing = this.grown = null
    this.pending = 0
    this.played = -Infinity // ms, when a player last had a picture drawn
    this.posing = false // for a photograph: one moment, until that is whole
    this.drawn = 0
    this.received = 0
    this.onLost = (event) => {
      event.preventDefault()
      lost()
      this.deadline = setTimeout(failed, PATIENCE_MS)
    }
    this.onRestored = () => {
      clearTimeout(this.deadline)
      restored()
      this.request()
    }
    canvas.addEventListener('webglcontextlost', this.onLost)
    canvas.addEventListener('webglcontextrestored', this.onRestored)
    this.onPicture = ({ detail }) => this.give(detail)
    window.addEventListener('armsweep-picture', this.onPicture)
    this.observer = new ResizeObserver(() => this.resize())
    this.observer.observe(canvas.parentElement)
    this.observer.observe(room)
    canvas.dataset.renderer = software ? 'software' : 'hardware'
    this.setTheme('light')
  }

  // Whether the processor draws, and puts the page together beside it: until that is there, pictures are coarse and few.
  get isHurried() {
    return this.software && document.getElementById('opening') !== null
  }

  get pixelRatio() {
    return this.isHurried ? 0.5 : this.software ? 1 : Math.min(window.devicePixelRatio || 1, 2)
  }

  setTheme(name) {
    const theme = THEMES[name] ?? THEMES.light
    this.world.background = new Color(theme.background)
    this.lights.setTheme(theme)
    this.ground.setTheme(theme)
    this.actors.setDark(name === 'dark')
    this.tether.setTheme(name)
    this.request()
  }

  setScene(scene) {
    this.version = scene.version
    this.drag.forget()
    this.actors.build(scene.meshes)
    this.picker.mark(null)
    this.frame = this.easing = null
    this.actors.move(whole(scene.transforms))
    if (!scene.stay || !this.rig.start) {
      const bounds = this.actors.bounds()
      this.cell = this.ground.build(scene.ground, bounds)
      this.rig.suggest(scene.camera, bounds, scene.ground)
      this.bounds = bounds
      this.pace.forget()
    }
    this.shadow.build(this.actors.bodies, scene.ground, this.bounds)
    this.stateShadow()
    this.canvas.dataset.meshes = scene.meshes.length
    this.canvas.dataset.version = scene.version
    this.request()
  }

  // Large shapes have come.
  fill() {
    this.actors.fill()
    this.request()
  }

  select(index, marked) {
    this.actors.select(index, marked)
    this.canvas.dataset.marked = this.actors.marked.map((mesh) => mesh.userData.name).join('; ')
    this.request()
  }

  // A view by its name, or the turntable.
  look(view) {
    this.rig.tour.choose(view, this.actors.reach())
  }

  set casting(on) {
    this.casts = on
    this.pace.forget()
    this.stateShadow()
    this.request()
  }

  // Whether it is on; where drawing is slow, only while nothing plays.
  stateShadow() {
    const state = !this.casts || !this.shadow.half ? 'off' : this.pace.slow ? 'at rest' : 'on'
    if (this.canvas.dataset.shadow === state) return
    this.canvas.dataset.shadow = state
    this.shaded(state)
  }

  // Words at the tether's end: how hard it pulls, or how far it falls short.
  say(words) {
    this.tether.text = words
    this.request()
  }

  nameOf(index) {
    return this.actors.meshes[index]?.userData.name
  }

  receive(frame) {
    if (frame.version !== this.version || !frame.fits(this.actors.meshes.length)) return
    this.received += 1
    this.easing = this.grown && !STILL.matches ? new Easing(this.actors.meshes, frame, this.grown, performance.now()) : null
    this.frame = frame
    this.request()
  }

  // Draws a frame at once: whoever calls it is in a picture of the display already.
  show(frame) {
    this.easing = null
    this.frame = frame
    if (!this.sized || this.posing) return
    this.cancel()
    this.played = performance.now()
    this.pace.mark(this.played)
    this.stateShadow()
    this.draw()
  }

  // Where nothing stands over the picture, as the page around it says; all of it where that leaves next to nothing.
  free(width, height) {
    const { offsetLeft: left, offsetTop: top, offsetWidth, offsetHeight } = this.room
    if (offsetWidth < LEAST_ROOM || offsetHeight < LEAST_ROOM) return { left: 0, top: 0, width, height }
    return { left, top, width: offsetWidth, height: offsetHeight }
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement
    if (!clientWidth || !clientHeight || this.posing) return
    this.renderer.setSize(clientWidth, clientHeight, false)
    this.rig.resize(clientWidth, clientHeight, this.free(clientWidth, clientHeight))
    this.sized = true
    this.cancel()
    this.draw() // a resized canvas is blank until it is drawn: no waiting for the next frame
  }

  request() {
    if (!this.pending && this.sized) this.pending = requestAnimationFrame(() => this.draw())
  }

  cancel() {
    cancelAnimationFrame(this.pending)
    this.pending = 0
  }

  draw() {
    this.pending = 0
    clearTimeout(this.resting)
    if (this.posing || this.renderer.getContext().isContextLost()) return
    const news = this.frame
    const frame = this.easing?.at(performance.now()) ?? news
    if (frame) this.actors.move(frame)
    this.frame = null
    if (!this.drag.held && !this.rig.tour.isMoving) this.picker.again()
    if (frame || this.rig.tour.isMoving) this.follow()
    if (this.renderer.getPixelRatio() !== this.pixelRatio) this.renderer.setPixelRatio(this.pixelRatio)
    this.renderOnce()
    this.drawn += 1
    const data = this.canvas.dataset
    data.visible = this.actors.visible
    data.frames = this.drawn
    data.received = this.received
    data.camera = this.rig.describe()
    if (news?.sent) {
      data.frame = news.number
      data.latency = (Date.now() - news.sent).toFixed(1)
    }
    if (frame) data.moment = frame.time ?? frame.moment
    if (this.easing?.over) this.easing = null
    if (this.easing) this.request()
    else if (this.rig.tour.isMoving || (this.pace.slow && this.plays)) this.goOn()
    if (this.software) this.resting = setTimeout(() => this.refine(), REST_MS)
  }

  // The camera goes where it is on its way to, and keeps what is drawn in the picture.
  follow() {
    this.rig.tour.advance(performance.now())
    this.rig.include(this.actors.reach())
  }

  get plays() {
    return performance.now() - this.played < PLAYED_MS
  }

  // One more picture, for a camera that moves by itself and for a shadow that comes back: the player's, where one plays,
  // else at a pace that this renderer can keep.
  goOn() {
    clearTimeout(this.going)
    this.going = setTimeout(() => this.request(), this.plays ? PLAYED_MS : this.software ? SOFT_MS : 0)
  }

  // Nothing has moved for a while: one picture at twice the resolution stands in for anti-aliasing.
  refine() {
    if (this.pending || this.posing || this.renderer.getContext().isContextLost()) return
    if (this.isHurried) {
      this.resting = setTimeout(() => this.refine(), REST_MS)
      return
    }
    this.renderer.setPixelRatio(2 * this.pixelRatio)
    this.renderOnce()
    this.canvas.dataset.refined = this.drawn
  }

  renderOnce() {
    const size = this.renderer.getSize(new Vector2())
    this.paint(this.rig.prepare(), size, this.casts && !(this.pace.slow && this.plays) && !this.isHurried)
  }

  // What a camera sees in a picture of `size` (pixels of the screen), of which each has `grain` along an edge; it may be a
  // piece of a larger one: its corner (left, bottom) in that.
  paint(camera, size, shaded, grain = this.renderer.getPixelRatio(), corner = new Vector2()) {
    this.lights.follow(camera, this.rig.target)
    if (shaded) this.shadow.draw(this.renderer)
    this.ground.wear(shaded)
    this.actors.setViewport(size, corner, grain)
    this.tether.draw(this.drag.tether, camera, size)
    this.renderer.render(this.world, camera)
  }

  // Hands what is seen to whoever asks for a picture, with the part of it that nothing covers, in the canvas's pixels.
  give(take) {
    if (!this.sized || this.renderer.getContext().isContextLost()) return
    this.renderOnce() // what a canvas shows can be read only while it is being drawn
    const { clientWidth, clientHeight } = this.canvas
    const { left, top, width, height } = this.free(clientWidth, clientHeight)
    const scale = this.canvas.width / clientWidth
    take(this.canvas, [left, top, width, height].map((length) => length * scale))
  }

  dispose() {
    window.removeEventListener('armsweep-picture', this.onPicture)
    this.cancel()
    clearTimeout(this.resting)
    clearTimeout(this.deadline)
    clearTimeout(this.going)
    this.observer.disconnect()
    this.canvas.removeEventListener('webglcontextlost', this.onLost)
    this.canvas.removeEventListener('webglcontextrestored', this.onRestored)
    this.drag.dispose()
    this.tether.dispose()
    this.picker.dispose()
    this.rig.dispose()
    this.actors.dispose()
    this.ground.dispose()
    this.shadow.dispose()
    this.renderer.dispose()
    this.renderer.forceContextLoss()
    this.sized = false
  }
}
