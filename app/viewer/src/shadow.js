// A soft shadow of the bodies on the floor, of a light that stands still in the world: they are flattened along the light
// into a small picture of the floor and blurred there, and the ground wears that. Nothing else is shaded, so that a
// processor that draws by itself can afford it.
import {
  BufferGeometry, Camera, CustomBlending, DoubleSide, Float32BufferAttribute, MaxEquation, Mesh, NoBlending, OneFactor,
  RedFormat, Scene, ShaderMaterial, Vector2, Vector3, WebGLRenderTarget,
} from 'three'

export const LIGHT = new Vector3(-0.25, -0.45, 1) // towards it; it stands behind the left shoulder of the first view
const SIZE = { software: 256, hardware: 512 } // pixels along an edge
const ROOM = 1.25 // times what the bodies need, so that it seldom grows
const LARGEST = 6 // radii of the machine, for what falls or flies away
const SOFT = 1.6 // pixels between two samples of the blur

const FLATTENED = `
  uniform float level;
  varying float above;
  void main() {
    vec4 place = modelMatrix * vec4(position, 1.0);
    above = place.z - level;
    gl_Position = projectionMatrix * place;
  }`

// The higher a body, the lighter its shadow; what is below the floor has none.
const DARKNESS = `
  uniform float height;
  varying float above;
  void main() { gl_FragColor = vec4(step(-0.02 * height, above) * mix(1.0, 0.4, clamp(above / height, 0.0, 1.0))); }`

const WHOLE = `
  varying vec2 at;
  void main() {
    at = 0.5 * position.xy + 0.5;
    gl_Position = vec4(position.xy, 0.0, 1.0);
  }`

// Nine samples of a Gaussian by five looks between pixels.
const BLUR = `
  uniform sampler2D picture;
  uniform vec2 stride;
  varying vec2 at;
  void main() {
    float sum = 0.227027 * texture2D(picture, at).r;
    sum += 0.316216 * (texture2D(picture, at + 1.384615 * stride).r + texture2D(picture, at - 1.384615 * stride).r);
    sum += 0.070270 * (texture2D(picture, at + 3.230769 * stride).r + texture2D(picture, at - 3.230769 * stride).r);
    gl_FragColor = vec4(sum);
  }`

export class Shadow {
  constructor(software) {
    const size = software ? SIZE.software : SIZE.hardware
    const make = () => new WebGLRenderTarget(size, size, { format: RedFormat, depthBuffer: false })
    this.pictures = [make(), make()]
    this.stride = SOFT / size
    this.middle = new Vector2()
    this.half = 0 // of the square of the floor that it covers, m; 0 where there is no floor
    this.camera = new Camera()
    this.camera.matrixWorldAutoUpdate = false
    this.bodies = new Scene()
    this.bodies.matrixWorldAutoUpdate = false
    this.flat = new ShaderMaterial({
      uniforms: { level: { value: 0 }, height: { value: 1 } },
      vertexShader: FLATTENED,
      fragmentShader: DARKNESS,
      side: DoubleSide,
      depthTest: false,
      depthWrite: false,
      blending: CustomBlending, // what lies on each other is not darker
      blendEquation: MaxEquation,
      blendSrc: OneFactor,
      blendDst: OneFactor,
    })
    this.blur = new ShaderMaterial({
      uniforms: { picture: { value: null }, stride: { value: new Vector2() } },
      vertexShader: WHOLE,
      fragmentShader: BLUR,
      depthTest: false,
      depthWrite: false,
      blending: NoBlending,
    })
    const corners = new BufferGeometry().setAttribute('position', new Float32BufferAttribute([-1, -1, 0, 3, -1, 0, -1, 3, 0], 3))
    this.sheet = new Mesh(corners, this.blur)
    this.sheet.frustumCulled = false
    this.blurring = new Scene().add(this.sheet)
    this.casters = []
  }

  get texture() {
    return this.pictures[0].texture
  }

  // Of `meshes`, on a floor at a height (m), or none; the machine is about `radius` large.
  build(meshes, level, { center, radius } = {}) {
    for (const { flat } of this.casters) flat.removeFromParent()
    this.casters = []
    this.half = 0
    if (level == null) return
    this.middle.copy(this.onFloor(center, level))
    this.level = level
    this.radius = radius
    this.half = radius
    this.flat.uniforms.level.value = level
    this.flat.uniforms.height.value = 2.5 * radius
    this.casters = meshes.map((mesh) => {
      const flat = new Mesh(mesh.geometry, this.flat)
      flat.frustumCulled = flat.matrixAutoUpdate = flat.matrixWorldAutoUpdate = false
      flat.matrixWorld = mesh.matrixWorld
      this.bodies.add(flat)
      if (!mesh.geometry.boundingSphere) mesh.geometry.computeBoundingSphere()
      return { mesh, flat }
    })
    this.aim()
  }

  // Where the light throws a point.
  onFloor({ x, y, z }, level = this.level) {
    return new Vector2(x - ((z - level) * LIGHT.x) / LIGHT.z, y - ((z - level) * LIGHT.y) / LIGHT.z)
  }

  // The projection that flattens: across and along the floor, within the square.
  aim() {
    const { half, middle, level } = this
    const [a, b] = [LIGHT.x / LIGHT.z, LIGHT.y / LIGHT.z]
    this.camera.projectionMatrix.set(
      1 / half, 0, -a / half, (a * level - middle.x) / half,
      0, 1 / half, -b / half, (b * level - middle.y) / half,
      0, 0, 0, 0,
      0, 0, 0, 1,
    )
  }

  // The square grows with what it has to hold.
  reach() {
    let needed = 0
    for (const { mesh, flat } of this.casters) {
      flat.visible = mesh.visible
      if (!mesh.visible) continue
      const { center, radius } = mesh.geometry.boundingSphere
      const at = this.onFloor(center.clone().applyMatrix4(mesh.matrixWorld)).sub(this.middle)
      needed = Math.max(needed, Math.max(Math.abs(at.x), Math.abs(at.y)) + 1.2 * radius)
    }
    if (needed <= this.half) return
    this.half = Math.min(ROOM * needed, LARGEST * this.radius)
    this.aim()
  }

  draw(renderer) {
    if (!this.half) return
    this.reach()
    const [first, second] = this.pictures
    this.into(renderer, first, this.bodies)
    this.soften(renderer, first, second, this.stride, 0)
    this.soften(renderer, second, first, 0, this.stride)
    renderer.setRenderTarget(null)
  }

  soften(renderer, from, to, x, y) {
    this.blur.uniforms.picture.value = from.texture
    this.blur.uniforms.stride.value.set(x, y)
    this.into(renderer, to, this.blurring)
  }

  into(renderer, picture, scene) {
    renderer.setRenderTarget(picture)
    renderer.render(scene, this.camera)
  }

  dispose() {
    this.build([])
    for (const picture of this.pictures) picture.dispose()
    this.sheet.geometry.dispose()
    this.flat.dispose()
    this.blur.dispose()
  }
}
