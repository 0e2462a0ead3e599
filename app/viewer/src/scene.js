// The `scene` parameter as plain objects. Bokeh may hand dictionaries over as Maps, and its arrays are subclasses of
// typed arrays whose subarray() does not work: views are made on their buffers.
const floats = (array) => new Float32Array(array.buffer, array.byteOffset, array.length)
const bytes = (array) => new Uint8Array(array.buffer, array.byteOffset, array.length)
const [shorts, signs] = [(array) => new Int16Array(array.buffer, array.byteOffset, array.length),
  (array) => new Int8Array(array.buffer, array.byteOffset, array.length)]
const integers = (array) => new (array.BYTES_PER_ELEMENT === 2 ? Uint16Array : Uint32Array)(array.buffer, array.byteOffset, array.length)

function plain(value) {
  if (value instanceof Map) return Object.fromEntries([...value].map(([k, v]) => [k, plain(v)]))
  if (Array.isArray(value)) return value.map(plain)
  return value
}

const SHAPES = 0xfffffffe // in the place of a frame's scene version
const known = (globalThis.armsweepShapes ??= new Map()) // large shapes that this tab has met, by digest

/** Large shapes that were asked for, as `SceneGeometry.answer` writes them; whether the message is one. */
export function takeShapes(buffer) {
  const [mark, count] = new Uint32Array(buffer, 0, 2)
  if (mark !== SHAPES) return false
  for (let k = 0, at = 8; k < count; k += 1) {
    const digest = new TextDecoder().decode(new Uint8Array(buffer, at, 16))
    const [points, faces, width, colors] = new Uint32Array(buffer, at + 16, 4)
    at += 32
    const part = (Type, length) => {
      const array = new Type(buffer.slice(at, at + length * Type.BYTES_PER_ELEMENT))
      at += array.byteLength
      return array
    }
    const shape = { faces: part(width === 2 ? Uint16Array : Uint32Array, 3 * faces), points: part(Int16Array, 3 * points) }
    shape.colors = part(Uint8Array, 4 * colors)
    shape.normals = part(Int8Array, 3 * points)
    known.set(digest, shape)
    at += -(at - 8) & 3
  }
  return true
}

/** The digests of large shapes that a scene shows at first and this tab has not. */
export function lacking(value) {
  const scene = plain(value)
  const rows = scene?.meshes ? floats(scene.transforms) : []
  const seen = (_, k) => rows.subarray(12 * k, 12 * k + 12).some(Boolean)
  const meshes = scene?.meshes ? JSON.parse(scene.meshes).filter(seen) : []
  return [...new Set(meshes.flatMap(({ digest, points }) => (!digest || points || known.has(digest) ? [] : [digest])))]
}

const inMetres = ({ points, colors, ...others }, unit) => ({
  ...others, points: Float32Array.from(points, (number) => number * unit), colors: colors.length ? colors : undefined,
})

/** A large shape in metres; null for one that this tab has not. */
export const knownShape = (digest, unit) => (known.has(digest) ? inMetres(known.get(digest), unit) : null)

export function readScene(value) {
  const scene = plain(value)
  if (!scene?.meshes) return null
  const whole = { points: shorts(scene.points), normals: signs(scene.normals), faces: integers(scene.faces), colors: bytes(scene.colors) }
  const own = ({ points, faces, colors }) => ({
    points: whole.points.subarray(...points.map((row) => 3 * row)), normals: whole.normals.subarray(...points.map((row) => 3 * row)),
    faces: whole.faces.subarray(...faces.map((row) => 3 * row)), colors: whole.colors.subarray(...(colors ?? [0, 0]).map((row) => 4 * row)),
  })
  const placed = new Map() // what meshes share
  const shapeOf = (mesh) => {
    const shape = mesh.digest ?? mesh.points[0]
    if (!placed.has(shape)) {
      if (mesh.digest && mesh.points) known.set(mesh.digest, own(mesh))
      placed.set(shape, { shape, ...(mesh.digest ? knownShape(mesh.digest, mesh.unit) : inMetres(own(mesh), mesh.unit)) })
    }
    return placed.get(shape)
  }
  const meshes = JSON.parse(scene.meshes).map(({ points, ...mesh }) => ({ ...mesh, ...shapeOf({ ...mesh, points }) }))
  return {
    version: scene.version,
    meshes,
    transforms: floats(scene.transforms),
    camera: plain(scene.camera),
    ground: scene.ground,
    stay: scene.stay,
    play: plain(scene.play),
    pieces: (scene.pieces ?? []).map((piece) => bytes(piece).slice().buffer),
  }
}
