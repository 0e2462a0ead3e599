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

export function readScene(value) {
  const scene = plain(value)
  if (!scene?.meshes) return null
  const points = shorts(scene.points)
  const normals = signs(scene.normals)
  const faces = integers(scene.faces)
  const colors = bytes(scene.colors)
  const placed = new Map() // m, of the rows that meshes share
  const inMetres = ({ unit, points: [from, to] }) => {
    if (!placed.has(from)) placed.set(from, Float32Array.from(points.subarray(3 * from, 3 * to), (number) => number * unit))
    return placed.get(from)
  }
  const meshes = JSON.parse(scene.meshes).map((mesh) => ({
    ...mesh,
    points: inMetres(mesh),
    normals: normals.subarray(3 * mesh.points[0], 3 * mesh.points[1]),
    faces: faces.subarray(3 * mesh.faces[0], 3 * mesh.faces[1]),
    shape: [mesh.points[0], mesh.colors?.[0]].join(), // meshes of the same shape share their geometry
    colors: mesh.colors && colors.subarray(4 * mesh.colors[0], 4 * mesh.colors[1]),
  }))
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
