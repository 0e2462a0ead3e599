// A flat grid of 1, 2 or 5 times a power of ten metres that fades out with distance: it gives scale and hides nothing.
import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments } from 'three'

const PIECES = 12 // of each line: transparency is interpolated between their ends
const LINES = 12 // each side of the middle

export class Ground {
  constructor(world) {
    this.world = world
    this.material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false })
    this.grid = null
  }

  setColor(color) {
    this.material.color.set(color)
  }

  // Returns the width of a cell (m).
  build(height, { center, radius } = {}) {
    this.grid?.geometry.dispose()
    this.grid?.removeFromParent()
    this.grid = null
    if (height == null) return null
    const decade = 10 ** Math.floor(Math.log10(radius / 2))
    const step = decade * [5, 2, 1].find((factor) => factor * decade <= radius / 2)
    const x0 = Math.round(center.x / step) * step
    const y0 = Math.round(center.y / step) * step
    const reach = LINES * step
    const points = []
    const colors = []
    const vertex = (x, y, strength) => {
      const fade = Math.max(0, 1 - Math.hypot(x, y) / reach)
      points.push(x0 + x, y0 + y, height)
      colors.push(1, 1, 1, strength * fade)
    }
    for (let i = -LINES; i <= LINES; i += 1) {
      const strength = i === 0 ? 0.55 : 0.32
      for (let k = 0; k < PIECES; k += 1) {
        const from = -reach + (2 * reach * k) / PIECES
        const to = -reach + (2 * reach * (k + 1)) / PIECES
        vertex(from, i * step, strength)
        vertex(to, i * step, strength)
        vertex(i * step, from, strength)
        vertex(i * step, to, strength)
      }
    }
    const geometry = new BufferGeometry()
    geometry.setAttribute('position', new Float32BufferAttribute(points, 3))
    geometry.setAttribute('color', new Float32BufferAttribute(colors, 4))
    this.grid = new LineSegments(geometry, this.material)
    this.grid.matrixAutoUpdate = this.grid.matrixWorldAutoUpdate = false
    this.grid.renderOrder = -1
    this.world.add(this.grid)
    return step
  }

  dispose() {
    this.build(null)
    this.material.dispose()
  }
}
