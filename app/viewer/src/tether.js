// The line from the point that is held to the pointer, with the words that belong to it.
import { BufferGeometry, Float32BufferAttribute, Line, LineDashedMaterial, Vector3 } from 'three'

const COLORS = { light: 0x0b1220, dark: 0xffffff }

export class Tether {
  constructor(world, label) {
    this.label = label
    this.text = ''
    this.geometry = new BufferGeometry()
    this.geometry.setAttribute('position', new Float32BufferAttribute(new Float32Array(6), 3))
    this.geometry.setAttribute('lineDistance', new Float32BufferAttribute(new Float32Array(2), 1))
    this.material = new LineDashedMaterial({ depthTest: false, transparent: true })
    this.line = new Line(this.geometry, this.material)
    this.line.matrixAutoUpdate = this.line.matrixWorldAutoUpdate = false
    this.line.frustumCulled = false
    this.line.renderOrder = 10
    this.line.visible = false
    world.add(this.line)
    this.setTheme('light')
  }

  setTheme(name) {
    this.material.color.set(COLORS[name] ?? COLORS.light)
  }

  // Between two places of the world; nothing where there is no tether. Dashes keep their size on the screen.
  draw(tether, camera, { width, height }) {
    this.line.visible = !!tether
    this.label.hidden = !tether || !this.text
    if (!tether) return
    const { point, target } = tether
    const position = this.geometry.attributes.position
    position.setXYZ(0, ...point.toArray())
    position.setXYZ(1, ...target.toArray())
    position.needsUpdate = true
    this.geometry.attributes.lineDistance.setX(1, point.distanceTo(target))
    this.geometry.attributes.lineDistance.needsUpdate = true
    const unit = camera.position.distanceTo(point) / height
    this.material.dashSize = 9 * unit
    this.material.gapSize = 6 * unit
    if (this.label.hidden) return
    if (this.label.textContent !== this.text) this.label.textContent = this.text
    const place = target.clone().project(camera)
    const x = Math.min(Math.max((place.x + 1) * width / 2 + 14, 0), width - this.label.offsetWidth - 4)
    const y = Math.min(Math.max((1 - place.y) * height / 2 + 14, 0), height - this.label.offsetHeight - 4)
    this.label.style.transform = `translate(${x}px, ${y}px)`
  }

  dispose() {
    this.line.removeFromParent()
    this.geometry.dispose()
    this.material.dispose()
  }
}
