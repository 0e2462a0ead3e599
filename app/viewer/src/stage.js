// Renderer, lights and the draw loop: the newest frame only, in requestAnimationFrame, and only when something changed.
import {
  AmbientLight, Color, DirectionalLight, HemisphereLight, Scene, Vector2, Vector3, WebGLRenderer,
} from 'three'
import { Actors } from './actors.js'
import { CameraRig } from './camera.js'
import { Drag } from './drag.js'
import { Easing } from './easing.js'
import { whole } from './frame.js'
import { Ground } from './ground.js'
import { Picker } from './picker.js'
import { Tether } from './tether.js'

const THEMES = {
  light: { background: 0xf1f4f8, line: 0x5b6b7e, sky: 0xffffff, soil: 0xb9c2cc, ambient: 0.35, hemisphere: 1.25, key: 1.75 },
  dark: { background: 0x14191f, line: 0x93a4b8, sky: 0xdfe9f5, soil: 0x4a525c, ambient: 0.35, hemisphere: 1.05, key: 1.75 },
}
const STILL = matchMedia('(prefers-reduced-motion: reduce)')
const PATIENCE_MS = 4000 // for a lost context to come back, before pictures take over
const REST_MS = 700 // without a new frame, after which software GL draws once more at double resolution

export class Stage {
  constructor(canvas, label, { software }, { select, drag, lost, restored, failed }) {
    this.canvas = canvas
    this.software = software
    this.renderer = new WebGLRenderer({ canvas, antialias: !software, powerPreference: 'high-performance' })
    this.world = new Scene()
    this.world.matrixWorldAutoUpdate = false
    this.ambient = new AmbientLight()
    this.hemisphere = new HemisphereLight()
    this.hemisphere.position.set(0, 0, 1)
    this.key = new DirectionalLight()
    this.world.add(this.ambient, this.hemisphere, this.key, this.key.target)
    this.hemisphere.updateMatrixWorld()
    this.ground = new Ground(this.world)
    this.actors = new Actors(this.world)
    this.rig = new CameraRig(canvas, () => this.request(), () => select(-1))
    this.picker = new Picker(canvas, this.rig.camera, this.actors, select)
    this.drag = new Drag(canvas, this.rig, this.picker, { send: drag, changed: () => this.request() })
    this.tether = new Tether(this.world, label)
    this.pixelRatio = software ? 1 : Math.min(window.devicePixelRatio || 1, 2)
    this.renderer.setPixelRatio(this.pixelRatio)
    this.version = -1
    this.frame = this.easing = this.grown = null
    this.pending = 0
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
    this.observer = new ResizeObserver(() => this.resize())
    this.observer.observe(canvas.parentElement)
    canvas.dataset.renderer = software ? 'software' : 'hardware'
    this.setTheme('light')
  }

  setTheme(name) {
    const theme = THEMES[name] ?? THEMES.light
    this.world.background = new Color(theme.background)
    this.ambient.intensity = theme.ambient
    this.hemisphere.color.set(theme.sky)
    this.hemisphere.groundColor.set(theme.soil)
    this.hemisphere.intensity = theme.hemisphere
    this.key.intensity = theme.key
    this.ground.setColor(theme.line)
    this.actors.setDark(name === 'dark')
    this.tether.setTheme(name)
    this.request()
  }

  setScene(scene) {
    this.version = scene.version
    this.drag.forget()
    this.actors.build(scene.meshes)
    this.frame = this.easing = null
    this.actors.move(whole(scene.transforms))
    if (!scene.stay || !this.rig.start) {
      const bounds = this.actors.bounds()
      this.cell = this.ground.build(scene.ground, bounds)
      this.rig.suggest(scene.camera, bounds)
    }
    this.canvas.dataset.meshes = scene.meshes.length
    this.canvas.dataset.version = scene.version
    this.request()
  }

  select(index, marked) {
    this.actors.select(index, marked)
    this.canvas.dataset.marked = this.actors.marked.map((mesh) => mesh.userData.name).join('; ')
    this.request()
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
    if (!this.sized) return
    this.cancel()
    this.draw()
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas.parentElement
    if (!clientWidth || !clientHeight) return
    this.renderer.setSize(clientWidth, clientHeight, false)
    this.rig.resize(clientWidth, clientHeight)
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
    if (this.renderer.getContext().isContextLost()) return
    const news = this.frame
    const frame = this.easing?.at(performance.now()) ?? news
    if (frame) {
      this.actors.move(frame)
      this.rig.include(this.actors.reach())
    }
    this.frame = null
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
    if (this.software) this.resting = setTimeout(() => this.refine(), REST_MS)
  }

  // Nothing has moved for a while: one picture at twice the resolution stands in for anti-aliasing.
  refine() {
    if (this.pending || this.renderer.getContext().isContextLost()) return
    this.renderer.setPixelRatio(2 * this.pixelRatio)
    this.renderOnce()
    this.canvas.dataset.refined = this.drawn
  }

  renderOnce() {
    const camera = this.rig.prepare()
    const side = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0)
    this.key.position.copy(camera.position).sub(this.rig.target).normalize().addScaledVector(side, 0.5)
    this.key.position.z += 0.9
    this.key.updateMatrixWorld()
    const size = this.renderer.getSize(new Vector2())
    this.actors.setViewport(size)
    this.tether.draw(this.drag.tether, camera, size)
    this.renderer.render(this.world, camera)
  }

  dispose() {
    this.cancel()
    clearTimeout(this.resting)
    clearTimeout(this.deadline)
    this.observer.disconnect()
    this.canvas.removeEventListener('webglcontextlost', this.onLost)
    this.canvas.removeEventListener('webglcontextrestored', this.onRestored)
    this.drag.dispose()
    this.tether.dispose()
    this.picker.dispose()
    this.rig.dispose()
    this.actors.dispose()
    this.ground.dispose()
    this.renderer.dispose()
    this.renderer.forceContextLoss()
    this.sized = false
  }
}
