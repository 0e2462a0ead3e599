// The highlight's rim: each chosen mesh once more, its back faces pushed out by a few pixels along smooth normals
// (the meshes' own normals are split at edges, and would tear the rim open there).
import {
  BackSide, BufferAttribute, BufferGeometry, Color, Mesh, NotEqualStencilFunc, ReplaceStencilOp, ShaderMaterial, Vector2,
} from 'three'

const WIDTH_PX = 3
const GHOST_PX = 2.5

const VERTEX = `
  uniform vec2 viewport;
  uniform float width;
  void main() {
    vec4 clip = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    vec3 facing = normalMatrix * normal;
    vec2 away = vec2(projectionMatrix[0][0] * facing.x, projectionMatrix[1][1] * facing.y) * viewport; // wherever the middle is
    float size = length(away);
    if (size > 1e-6) clip.xy += away / size * width * 2.0 / viewport * clip.w;
    gl_Position = clip;
  }`

const FRAGMENT = `
  uniform vec3 color;
  void main() { gl_FragColor = vec4(color, 1.0); }`

// Glass has no back to push out: its own surface once more, drawn only where it turns away from the eye.
const GLASS_VERTEX = `
  varying vec3 facing;
  varying vec3 eye;
  void main() {
    vec4 place = modelViewMatrix * vec4(position, 1.0);
    facing = normalMatrix * normal;
    eye = -place.xyz;
    gl_Position = projectionMatrix * place;
  }`

const GLASS_FRAGMENT = `
  uniform vec3 color;
  varying vec3 facing;
  varying vec3 eye;
  void main() {
    float grazing = 1.0 - abs(dot(normalize(facing), normalize(eye)));
    gl_FragColor = vec4(color, 0.9 * smoothstep(0.55, 0.85, grazing));
  }`

const DASHED_FRAGMENT = `
  uniform vec3 color;
  uniform vec2 corner;
  uniform float grain;
  void main() {
    vec2 place = gl_FragCoord.xy / grain + corner;
    if (mod(place.x + place.y, 11.0) > 7.0) discard;
    gl_FragColor = vec4(color, 1.0);
  }`

// The dashed rim of a ghost's whole silhouette: bodies that are see-through mark their place, and it is drawn outside.
export class Silhouette {
  constructor(outline) {
    this.outline = outline
    this.materials = new Map()
    this.rims = []
  }

  // Of a body, that it is inside.
  static mark(material) {
    Object.assign(material, {
      stencilWrite: true, stencilRef: 1, stencilZPass: ReplaceStencilOp, stencilZFail: ReplaceStencilOp,
    })
  }

  around(world, meshes) {
    for (const rim of this.rims) rim.removeFromParent()
    this.rims = meshes.map((mesh) => {
      const rim = new Mesh(this.outline.smooth(mesh.geometry), this.material(mesh.userData.color))
      rim.matrixAutoUpdate = rim.matrixWorldAutoUpdate = false
      rim.matrixWorld = mesh.matrixWorld
      rim.renderOrder = -0.5 // when every ghost has marked its place
      rim.userData.body = mesh
      world.add(rim)
      return rim
    })
    this.follow()
  }

  material([r, g, b]) {
    const key = [r, g, b].join()
    if (!this.materials.has(key)) {
      this.materials.set(key, new ShaderMaterial({
        uniforms: { ...this.outline.material.uniforms, width: { value: GHOST_PX }, color: { value: new Color(r, g, b) } },
        vertexShader: VERTEX,
        fragmentShader: DASHED_FRAGMENT,
        side: BackSide,
        transparent: true, // after them
        stencilWrite: true,
        stencilRef: 1,
        stencilFunc: NotEqualStencilFunc,
      }))
    }
    return this.materials.get(key)
  }

  follow() {
    for (const rim of this.rims) rim.visible = rim.userData.body.visible
  }

  dispose() {
    for (const rim of this.rims) rim.removeFromParent()
    for (const material of this.materials.values()) material.dispose()
  }
}

export class Outline {
  constructor(world, color) {
    this.world = world
    this.rims = []
    this.smoothed = new WeakMap()
    this.material = new ShaderMaterial({
      uniforms: {
        viewport: { value: new Vector2(1, 1) },
        corner: { value: new Vector2() },
        grain: { value: 1 },
        width: { value: WIDTH_PX },
        color: { value: new Color(color).convertLinearToSRGB() },
      },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      side: BackSide,
    })
    this.glass = new ShaderMaterial({
      uniforms: { color: this.material.uniforms.color },
      vertexShader: GLASS_VERTEX,
      fragmentShader: GLASS_FRAGMENT,
      transparent: true,
      depthWrite: false,
    })
  }

  around(meshes) {
    for (const rim of this.rims) rim.removeFromParent()
    this.rims = meshes.map((mesh) => {
      const rim = new Mesh(this.smooth(mesh.geometry), mesh.material.transparent ? this.glass : this.material)
      rim.matrixAutoUpdate = rim.matrixWorldAutoUpdate = false
      rim.matrixWorld = mesh.matrixWorld
      rim.userData.body = mesh
      this.world.add(rim)
      return rim
    })
    this.follow()
  }

  setColor(color) {
    this.material.uniforms.color.value.set(color).convertLinearToSRGB()
  }

  // Kept for as long as the geometry that it belongs to.
  smooth(geometry) {
    if (!this.smoothed.has(geometry)) {
      const own = smooth(geometry)
      this.smoothed.set(geometry, own)
      geometry.addEventListener('dispose', () => own.dispose())
    }
    return this.smoothed.get(geometry)
  }

  dispose() {
    this.around([])
    this.material.dispose()
    this.glass.dispose()
  }

  follow() {
    for (const rim of this.rims) rim.visible = rim.userData.body.visible
  }

  // Of the picture, or the piece of one, its corner in the whole (pixels of the screen), and how many pixels each of them has.
  setViewport(size, corner, grain) {
    const { uniforms } = this.material
    uniforms.viewport.value.copy(size)
    uniforms.corner.value.copy(corner)
    uniforms.grain.value = grain
  }
}

function smooth(geometry) {
  const points = geometry.attributes.position.array
  const normals = geometry.attributes.normal.array
  geometry.computeBoundingSphere()
  const grain = 1e5 / (geometry.boundingSphere.radius || 1)
  const sums = new Map()
  const keys = []
  for (let i = 0; i < points.length; i += 3) {
    const key = `${Math.round(points[i] * grain)},${Math.round(points[i + 1] * grain)},${Math.round(points[i + 2] * grain)}`
    const sum = sums.get(key) ?? [0, 0, 0]
    for (let c = 0; c < 3; c += 1) sum[c] += normals[i + c]
    sums.set(key, sum)
    keys.push(key)
  }
  const merged = new Float32Array(normals.length)
  keys.forEach((key, i) => {
    const sum = sums.get(key)
    const length = Math.hypot(...sum) || 1
    for (let c = 0; c < 3; c += 1) merged[3 * i + c] = sum[c] / length
  })
  const result = new BufferGeometry()
  result.setAttribute('position', geometry.attributes.position)
  result.setAttribute('normal', new BufferAttribute(merged, 3))
  result.setIndex(geometry.index)
  return result
}
