// The floor, where there is one: a quiet disc that fades out and takes the shadow, and a flat grid on it of 1, 2 or 5 times
// a power of ten metres, which gives scale and hides nothing. Where there is none, stars, by which one sees what turns.
import {
  BufferGeometry, CircleGeometry, Color, CustomBlending, Float32BufferAttribute, LineBasicMaterial, LineSegments, Mesh, OneFactor,
  OneMinusSrcAlphaFactor, Points, PointsMaterial, ShaderMaterial, Vector2,
} from 'three'

const PIECES = 12 // of each line: transparency is interpolated between their ends
const LINES = 12 // each side of the middle
const STARS = 400
const FAR = 11 // radii of the machine to the stars

const VERTEX = `
  varying vec2 place;
  void main() {
    place = (modelMatrix * vec4(position, 1.0)).xy;
    gl_Position = projectionMatrix * viewMatrix * modelMatrix * vec4(position, 1.0);
  }`

// The shadow over the disc, both fading, and in a photograph the grid, whose lines a renderer draws a pixel wide whatever
// the size; colors are the screen's own.
const FRAGMENT = `
  uniform vec3 floorColor;
  uniform vec3 shadowColor;
  uniform float darkness;
  uniform sampler2D shadow;
  uniform vec2 middle;
  uniform float reach;
  uniform vec2 shadowMiddle;
  uniform float shadowHalf;
  uniform vec3 lineColor;
  uniform float cell;
  uniform float thick;
  varying vec2 place;
  void main() {
    float fade = 1.0 - smoothstep(0.1, 1.0, length(place - middle) / reach);
    vec2 at = (place - shadowMiddle) / shadowHalf;
    float inside = 1.0 - smoothstep(0.85, 1.0, max(abs(at.x), abs(at.y)));
    float dark = darkness * inside * sqrt(fade) * texture2D(shadow, 0.5 * at + 0.5).r;
    gl_FragColor = vec4(mix(fade * floorColor, shadowColor, dark), dark + fade * (1.0 - dark));
    if (thick > 0.0) {
      vec2 number = (place - middle) / cell;
      vec2 drawn = clamp(0.5 + 0.5 * thick - abs(number - round(number)) / fwidth(number), 0.0, 1.0);
      vec2 strength = drawn * mix(vec2(0.32), vec2(0.55), vec2(equal(round(number), vec2(0.0))));
      float line = (1.0 - (1.0 - strength.x) * (1.0 - strength.y)) * max(0.0, 1.0 - length(place - middle) / reach);
      gl_FragColor = mix(gl_FragColor, vec4(lineColor, 1.0), line);
    }
  }`

// The same stars each time, evenly over the sky: a spiral from pole to pole, each a little beside its place.
function starry({ x, y, z }, distance) {
  const points = []
  for (let k = 0; k < STARS; k += 1) {
    const up = 1 - (2 * k + 1) / STARS + 0.05 * Math.sin(91.7 * k)
    const round = 2.39996 * k + 0.6 * Math.sin(37.3 * k)
    const flat = Math.sqrt(Math.max(0, 1 - up * up))
    points.push(x + distance * flat * Math.cos(round), y + distance * flat * Math.sin(round), z + distance * up)
  }
  return new BufferGeometry().setAttribute('position', new Float32BufferAttribute(points, 3))
}

export class Ground {
  constructor(world, shadow) {
    this.world = world
    this.shadow = shadow
    this.material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false })
    this.surface = new ShaderMaterial({
      uniforms: {
        floorColor: { value: new Color() },
        shadowColor: { value: new Color() },
        darkness: { value: 0 },
        shadow: { value: shadow.texture },
        middle: { value: new Vector2() },
        reach: { value: 1 },
        shadowMiddle: { value: shadow.middle },
        shadowHalf: { value: 1 },
        lineColor: { value: new Color() },
        cell: { value: 1 },
        thick: { value: 0 },
      },
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      blending: CustomBlending, // before all that is solid: what is below the floor is seen through it, under its lines
      blendSrc: OneFactor,
      blendDst: OneMinusSrcAlphaFactor,
      depthWrite: false,
    })
    this.starlight = new PointsMaterial({ size: 2, sizeAttenuation: false, transparent: true, opacity: 0.6, depthWrite: false })
    this.grid = this.disc = this.stars = null
  }

  setTheme({ line, floor, shade, darkness }) {
    this.material.color.set(line)
    this.starlight.color.set(line)
    this.surface.uniforms.floorColor.value.set(floor).convertLinearToSRGB()
    this.surface.uniforms.lineColor.value.set(line).convertLinearToSRGB()
    this.surface.uniforms.shadowColor.value.set(shade).convertLinearToSRGB()
    this.darkness = darkness
  }

  // With the shadow as it has been drawn, or without.
  wear(shaded) {
    this.surface.uniforms.darkness.value = shaded && this.shadow.half ? this.darkness : 0
    this.surface.uniforms.shadowHalf.value = this.shadow.half || 1
  }

  // The grid by the surface, its lines so many pixels thick; 0: by itself.
  draw(thick) {
    this.surface.uniforms.thick.value = thick
    if (this.grid) this.grid.visible = !thick
  }

  // Returns the width of a cell (m).
  build(height, { center, radius } = {}) {
    for (const part of [this.grid, this.disc, this.stars]) {
      part?.geometry.dispose()
      part?.removeFromParent()
    }
    this.grid = this.disc = this.stars = null
    if (height == null) {
      if (radius) this.stars = this.still(new Points(starry(center, FAR * radius), this.starlight), -3)
      return null
    }
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
    this.grid = this.still(new LineSegments(geometry, this.material), -1)
    this.disc = this.still(new Mesh(new CircleGeometry(reach, 48).translate(x0, y0, height), this.surface), -2)
    this.surface.uniforms.middle.value.set(x0, y0)
    this.surface.uniforms.reach.value = reach
    this.surface.uniforms.cell.value = step
    return step
  }

  still(part, order) {
    part.matrixAutoUpdate = part.matrixWorldAutoUpdate = false
    part.renderOrder = order
    this.world.add(part)
    return part
  }

  dispose() {
    this.build(null)
    this.material.dispose()
    this.starlight.dispose()
    this.surface.dispose()
  }
}
