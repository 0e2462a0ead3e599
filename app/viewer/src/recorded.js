// The pictures of a whole run that is at hand, as the view takes a scene and a piece; `app/replay/pictures.py` draws them.
import { Piece } from './track.js'

const BODIES = 2 // layers that are always on: the links and the object come first

export class Recorded {
  constructor(pictures, parcel, { duration, interval }) {
    Object.assign(this, { pictures, parcel, duration, interval })
    this.poses = parcel.series(pictures.poses)
    this.only = {} // of single layers, the links whose meshes are on
    this.near = null // the link at whose inertia a led walk looks alone
  }

  // How that inertia is drawn at a time: as the lecturer's page draws it, by the same rule.
  closeUp(time) {
    return this.near === null ? undefined : this.pictures.closeUps.findLast(({ since }) => since <= time + 1e-9)?.links[this.near]
  }

  // Times that a mesh is drawn larger.
  larger(mesh, closeUp) {
    const { layerOf, layers, scene } = this.pictures
    return closeUp && layers[layerOf[mesh]] in closeUp.words && closeUp.whose.includes(scene.meshes[mesh].link) ? closeUp.times : 1
  }

  // Whether each mesh is on.
  on(shown) {
    const { layerOf, layers, scene } = this.pictures
    return layerOf.map((layer, mesh) => layer < BODIES
      || (shown.has(layers[layer]) && (this.only[layers[layer]]?.includes(scene.meshes[mesh].link) ?? true)))
  }

  // All instants of the meshes that are on.
  piece(shown, track) {
    const on = this.on(shown)
    const edges = []
    for (let mesh = 0; mesh <= on.length; mesh += 1) if (!!on[mesh] !== !!on[mesh - 1]) edges.push(mesh)
    const meshes = on.flatMap((is, mesh) => (is ? [mesh] : []))
    const count = this.poses.instants
    const buffer = new ArrayBuffer(32 + 8 * count + 4 * edges.length + 48 * count * meshes.length)
    new Uint32Array(buffer, 0, 8).set([Piece.MARK, this.pictures.scene.version, track, 1, 0, 1, count, edges.length / 2])
    const times = new Float64Array(buffer, 32, count)
    for (let k = 0; k < count; k += 1) times[k] = Math.min(k * this.interval, this.duration)
    new Uint32Array(buffer, 32 + 8 * count, edges.length).set(edges)
    const rows = new Float32Array(buffer, 32 + 8 * count + 4 * edges.length)
    let at = 0
    for (let k = 0; k < count; k += 1) {
      const closeUp = this.closeUp(times[k])
      for (const mesh of meshes) {
        const larger = this.larger(mesh, closeUp)
        for (let i = 0; i < 12; i += 1, at += 1) rows[at] = this.poses.at(12 * mesh + i, k) * (i % 4 === 3 ? 1 : larger)
      }
    }
    return buffer
  }

  // Shapes and run, for a clock that does as `play` says.
  scene(shown, theme, play, stay) {
    const { scene, colors } = this.pictures
    const names = ['points', 'normals', 'faces', 'colors', 'transforms']
    const arrays = Object.fromEntries(names.map((name) => [name, this.parcel.array(scene[name])]))
    const on = this.on(shown)
    arrays.transforms = arrays.transforms.map((number, k) => (on[Math.floor(k / 12)] ? number : 0))
    const meshes = JSON.stringify(scene.meshes.map((mesh, k) => ({ ...mesh, color: colors[theme][k] })))
    return { ...scene, ...arrays, meshes, stay, play, pieces: [new Uint8Array(this.piece(shown, play.track))] }
  }
}
