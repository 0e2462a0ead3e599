// The meshes of the scene: built once, moved by 3x4 transforms, one of them (or one link of them) highlighted.
import {
  Box3, BufferAttribute, BufferGeometry, Color, GreaterDepth, Mesh, MeshLambertMaterial, SRGBColorSpace, Vector3,
} from 'three'
import { Outline, Silhouette } from './outline.js'
import { knownShape } from './scene.js'

const SELECTED = { light: 0x0b1220, dark: 0xffffff } // as palette.SELECTED: what the cursor points at, in every view
const HOVERED = { light: 0x1d5c93, dark: 0x5ba3de } // as palette.PRIMARY: what the pointer can take hold of
const SHINES_THROUGH = new Set(['arrow', 'axis', 'cage', 'frame', 'mark']) // drawn faintly where a body hides them, so that they never vanish
const PAINTED_GLASS = 0.999 // sorted with the transparent; how clear is up to each point
const BODIES = new Set(['link', 'object'])
const ROUND = new Set(['ellipsoid', 'cage'])
const NOTHING = new BufferAttribute(new Float32Array(0), 3)
const REACHING = new Set(['link', 'arrow', 'beacon'])

// sRGB bytes as the linear floats that three.js shades with; alpha is linear already.
function linear(colors) {
  const shade = new Color()
  const out = new Float32Array(colors.length)
  for (let i = 0; i < colors.length; i += 4) {
    shade.setRGB(colors[i] / 255, colors[i + 1] / 255, colors[i + 2] / 255, SRGBColorSpace)
    shade.toArray(out, i)
    out[i + 3] = colors[i + 3] / 255
  }
  return out
}

// The white of what has colors of its own, as clear as the clearest of them.
const paint = (colors) => [1, 1, 1, colors.every((part, i) => i % 4 !== 3 || part === 255) ? 1 : PAINTED_GLASS]

// The corners (m, world) of a mesh's box.
function cornersOf({ geometry, matrixWorld }) {
  if (!geometry.boundingBox) geometry.computeBoundingBox()
  const { min, max } = geometry.boundingBox
  return [0, 1, 2, 3, 4, 5, 6, 7].map((bits) => new Vector3(
    bits & 1 ? max.x : min.x, bits & 2 ? max.y : min.y, bits & 4 ? max.z : min.z,
  ).applyMatrix4(matrixWorld))
}

// Both ends (m, world) of three diameters of a ball.
function polesOf({ matrixWorld }) {
  const middle = new Vector3().setFromMatrixPosition(matrixWorld)
  return [0, 1, 2].flatMap((column) => {
    const half = new Vector3().setFromMatrixColumn(matrixWorld, column)
    return [middle.clone().add(half), middle.clone().sub(half)]
  })
}

export class Actors {
  constructor(world, ask) {
    this.world = world
    this.ask = ask // for large shapes that are to be seen and that this tab has not
    this.asked = new Set() // their digests
    this.meshes = []
    this.ghosts = []
    this.materials = new Map()
    this.geometries = new Map()
    this.dark = false
    this.marked = []
    this.visible = 0
    this.outline = new Outline(world, SELECTED.light)
    this.hovering = new Outline(world, HOVERED.light)
    this.hovered = null
    this.silhouette = new Silhouette(this.outline)
  }

  build(meshes) {
    this.clear()
    this.meshes = meshes.map((mesh, index) => this.actor(mesh, index))
    for (const mesh of this.meshes) if (SHINES_THROUGH.has(mesh.userData.kind)) this.addGhost(mesh)
    this.surround()
  }

  surround() {
    this.silhouette.around(this.world, this.meshes.filter(({ userData: { kind, lacks } }) => kind === 'ghost' && !lacks))
  }

  // Gives large shapes that have come by now to the meshes that lack them.
  fill() {
    for (const mesh of this.meshes) {
      const { lacks } = mesh.userData
      const shape = lacks && knownShape(lacks.digest, lacks.unit)
      if (!shape) continue
      mesh.geometry = this.geometry({ ...shape, shape: lacks.digest })
      Object.assign(mesh.userData, { lacks: null, painted: !!shape.colors })
      if (shape.colors) mesh.userData.color = paint(shape.colors)
    }
    for (const [mesh, ghost] of this.ghosts) ghost.geometry = mesh.geometry
    this.surround()
    this.light()
  }

  // What is solid, and throws a shadow.
  get bodies() {
    return this.meshes.filter((mesh) => BODIES.has(mesh.userData.kind))
  }

  geometry({ shape, points, normals, faces, colors }) {
    let geometry = this.geometries.get(shape)
    if (!geometry) {
      geometry = new BufferGeometry()
      if (!points) return geometry.setAttribute('position', NOTHING) // it comes when it is first to be seen
      geometry.setAttribute('position', new BufferAttribute(points, 3))
      geometry.setAttribute('normal', new BufferAttribute(normals, 3, true))
      geometry.setIndex(new BufferAttribute(faces, 1))
      if (colors) geometry.setAttribute('color', new BufferAttribute(linear(colors), 4))
      this.geometries.set(shape, geometry)
    }
    return geometry
  }

  actor(shape, index) {
    const { colors, color: whole, name, kind, link, arm, digest, unit, points } = shape
    const geometry = this.geometry(shape)
    // Points that have colors of their own multiply the material's.
    const color = colors ? paint(colors) : whole
    const mesh = this.still(new Mesh(geometry, this.material(color, kind, false, !!colors)))
    mesh.userData = { index, name, kind, link, arm, color, painted: !!colors, lacks: points ? null : { digest, unit } }
    if (kind === 'ground') mesh.renderOrder = -2
    if (kind === 'ghost') mesh.renderOrder = -1
    if (kind === 'beacon') mesh.renderOrder = 1
    return mesh
  }

  still(mesh) {
    mesh.matrixAutoUpdate = false
    mesh.matrixWorldAutoUpdate = false
    this.world.add(mesh)
    return mesh
  }

  addGhost(mesh) {
    const [r, g, b] = mesh.userData.color
    const ghost = this.still(new Mesh(mesh.geometry, this.material([r, g, b, 0.35], 'hidden')))
    ghost.matrixWorld = mesh.matrixWorld
    this.ghosts.push([mesh, ghost])
  }

  material([r, g, b, a = 1], kind, lit = false, painted = false) {
    const special = ['ground', 'hidden', 'cage', 'ghost', 'beacon'].includes(kind) ? kind : ''
    const key = [r, g, b, a, special, lit && this.theme, painted].join()
    let material = this.materials.get(key)
    if (!material) {
      const alpha = lit && a < 1 ? Math.min(1, a + 0.06) : a
      material = new MeshLambertMaterial({
        color: new Color().setRGB(r, g, b, SRGBColorSpace),
        vertexColors: painted,
        transparent: a < 1,
        opacity: alpha,
        depthWrite: a >= 1 && kind !== 'ground', // the ground never fights with the grid or with a base plate on it
        emissive: lit ? SELECTED[this.theme] : 0,
        emissiveIntensity: 0.3,
      })
      if (lit) material.color.lerp(new Color(SELECTED[this.theme]), kind === 'cage' ? 0.7 : 0.25)
      material.userData = { ground: kind === 'ground', color: material.color.clone() }
      if (kind === 'hidden') material.depthFunc = GreaterDepth
      if (kind === 'beacon') material.depthTest = material.depthWrite = false // in front of whatever it lies in
      if (kind === 'ghost') { // where it stands in the body itself, the body is in front
        material.polygonOffset = true
        material.polygonOffsetFactor = material.polygonOffsetUnits = 2
        Silhouette.mark(material)
      }
      this.dim(material)
      this.materials.set(key, material)
    }
    return material
  }

  // Light floors stay quiet on a dark page.
  setDark(dark) {
    this.dark = dark
    for (const material of this.materials.values()) this.dim(material)
    this.outline.setColor(SELECTED[this.theme])
    this.hovering.setColor(HOVERED[this.theme])
    this.light()
  }

  get theme() {
    return this.dark ? 'dark' : 'light'
  }

  dim(material) {
    const { ground, color } = material.userData
    if (ground) material.color.copy(color).multiplyScalar(this.dark ? 0.1 : 1)
  }

  // Puts the meshes of each run where a frame says, and hides the others.
  move({ runs, transforms }) {
    for (const mesh of this.meshes) mesh.visible = false
    this.visible = 0
    let row = 0
    const lacking = new Set()
    for (let i = 0; i < runs.length; i += 2) {
      for (let k = runs[i]; k < runs[i + 1]; k += 1, row += 1) {
        const mesh = this.meshes[k]
        this.put(mesh, transforms, 12 * row)
        const { lacks } = mesh.userData
        if (!lacks || !mesh.visible) continue
        mesh.visible = false
        if (!this.asked.has(lacks.digest)) lacking.add(lacks.digest)
      }
    }
    for (const digest of lacking) this.asked.add(digest)
    if (lacking.size) this.ask([...lacking])
    for (const [mesh, ghost] of this.ghosts) ghost.visible = mesh.visible
    this.outline.follow()
    this.hovering.follow()
    this.silhouette.follow()
  }

  put(mesh, transforms, at) {
    const e = mesh.matrixWorld.elements
    let size = 0
    for (let row = 0; row < 3; row += 1) {
      for (let column = 0; column < 4; column += 1) {
        const x = transforms[at + 4 * row + column]
        e[4 * column + row] = x
        if (column < 3) size += Math.abs(x)
      }
    }
    mesh.visible = size > 1e-9 && Number.isFinite(size + e[12] + e[13] + e[14]) // false for NaN too
    if (mesh.visible) this.visible += 1
  }

  // Highlights one mesh with whatever belongs to the same body, and a list of others.
  select(index, others = []) {
    const chosen = this.meshes[index]?.userData
    this.marked = this.meshes.filter(({ userData }) => others.includes(userData.index) || (chosen && (userData.index === index
      || (BODIES.has(chosen.kind) && userData.kind === chosen.kind && chosen.link != null && userData.link === chosen.link))))
    this.light()
  }

  // A rim round what the pointer can take hold of, unless it is marked already; whether that is news.
  hover(body) {
    if (body === this.hovered) return false
    this.hovered = body
    this.rim()
    return true
  }

  rim() {
    const { kind, link } = this.hovered?.userData ?? {}
    this.hovering.around(this.meshes.filter((mesh) => this.hovered && !mesh.userData.lacks && !this.marked.includes(mesh)
      && mesh.userData.kind === kind && mesh.userData.link === link))
  }

  light() {
    for (const mesh of this.meshes) {
      const { color, kind, painted } = mesh.userData
      mesh.material = this.material(color, kind, this.marked.includes(mesh), painted)
    }
    this.outline.around(this.marked.filter(({ userData: { kind, lacks } }) => kind !== 'cage' && !lacks)) // a rim round each wire would fill it
    this.rim()
  }

  setViewport(...view) {
    this.outline.setViewport(...view)
    this.hovering.setViewport(...view)
  }

  // What is to be seen, for the camera and the grid: the bodies, or everything but the ground when there are none.
  bounds() {
    const seen = this.meshes.filter((mesh) => mesh.visible && !['ground', 'ghost'].includes(mesh.userData.kind))
    const bodies = seen.filter((mesh) => BODIES.has(mesh.userData.kind))
    const corners = (bodies.length ? bodies : seen).flatMap(cornersOf)
    if (!corners.length) corners.push(new Vector3(-1, -1, -1), new Vector3(1, 1, 1))
    const center = new Box3().setFromPoints(corners).getCenter(new Vector3())
    const radius = Math.max(...corners.map((corner) => corner.distanceTo(center)), 1e-3)
    return { corners, center, radius }
  }

  // Where the links and their arrows are now, and what stands round them; an object that was dropped may fall for ever.
  reach() {
    const seen = this.meshes.filter((mesh) => mesh.visible)
    return [
      ...seen.filter((mesh) => REACHING.has(mesh.userData.kind)).flatMap(cornersOf),
      ...seen.filter((mesh) => ROUND.has(mesh.userData.kind)).flatMap(polesOf),
    ]
  }

  // Materials outlive a scene: their compiled shaders serve the next one.
  clear() {
    this.hovered = null
    this.asked.clear()
    this.outline.around([])
    this.hovering.around([])
    this.silhouette.around(this.world, [])
    for (const geometry of this.geometries.values()) geometry.dispose()
    this.geometries.clear()
    for (const mesh of this.meshes) mesh.removeFromParent()
    for (const [, ghost] of this.ghosts) ghost.removeFromParent()
    this.meshes = []
    this.ghosts = []
    this.marked = []
  }

  dispose() {
    this.clear()
    this.silhouette.dispose()
    this.hovering.dispose()
    this.outline.dispose()
    for (const material of this.materials.values()) material.dispose()
    this.materials.clear()
  }
}
