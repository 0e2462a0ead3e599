// Runs as they arrive in bytes, and the pictures between their instants, in the view's sources and in what the browser gets.
import assert from "node:assert/strict"
import { test } from "node:test"
import { gunzipSync } from "node:zlib"
import { bytes, given, random, view } from "./page.mjs"

const sources = { ...await view("src/track"), ...await view("src/parcel"), ...await view("src/recorded") }

for (const [name, { Piece, Track, Parcel, Recorded }] of Object.entries({ sources, bundle: await view("bundle/viewer.bundle") })) {
  test(`what Python packs comes out bit for bit (${name})`, () => {
    const { packed, arrays, series } = given.parcel
    const buffer = Uint8Array.from(gunzipSync(bytes(packed))).buffer
    const [data, rest] = Parcel.read(buffer), parcel = new Parcel(rest)
    assert.equal(data.word, "ε̇ of 1 m")
    const same = (values, text) => assert.deepEqual(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), bytes(text))
    arrays.forEach((text, k) => same(parcel.array(data.arrays[k]), text))
    series.forEach((rows, k) => rows.forEach((text, row) => {
      const found = parcel.series(data.series[k])
      same(found.row(row), text)
      for (const instant of [0, 11, 39]) assert.ok(Object.is(found.at(row, instant), found.row(row)[instant]))
    }))
  })

  test(`between two instants a body turns on the sphere, an ellipsoid changes as a matrix, an arrow that turns over jumps (${name})`, () => {
    const { kinds, interval, pieces, wanted } = given.motion
    const track = new Track(8, interval)
    for (const each of pieces.map((text) => new Piece(bytes(text).buffer))) {
      assert.ok(each.fits(4) && !each.fits(3))
      track.take(each)
    }
    for (const [time, poses] of wanted) {
      const { runs, transforms } = track.at(time, (mesh) => kinds[mesh])
      assert.deepEqual([...runs], [0, 4])
      poses.forEach((number, k) => assert.ok(Math.abs(transforms[k] - number) < 2e-5, `${kinds[Math.floor(k / 12)]} at ${time}`))
    }
  })

  test(`a picture is shown only between instants that have come, and over a gap when nothing more will (${name})`, () => {
    const draw = random(4)
    for (let k = 0; k < 40; k += 1) {
      const has = Array.from({ length: 60 }, () => draw() < draw.of([0.15, 0.5, 0.9]))
      const track = new Track(1, 0.1)
      const piece = (at) => ({ first: at, stride: 1, count: 1, times: [0.1 * at], rows: 0, runs: [], rowOf: new Map(), poses: [] })
      has.forEach((is, at) => { if (is) track.take(piece(at)) })
      for (let at = 0; at + 1 < 60; at += 1) {
        const before = has.slice(Math.max(at - 4, 0), at + 1).includes(true), after = has.slice(at + 1, at + 6).includes(true)
        assert.equal(track.covers(0.1 * at + 0.05), before && after)
        assert.equal(track.covers(0.1 * at), has[at] || (before && after))
        assert.equal(track.covers(0.1 * at + 0.05, Infinity), has.includes(true))
      }
      track.forget(3.0)
      for (let at = 0; at < 60; at += 1) assert.equal(track.instants.has(at), has[at] && at >= 30)
    }
  })

  test(`a replay draws the links always and of its layers those that are on, of the links that are chosen (${name})`, () => {
    const draw = random(5), count = 7, links = [0, 0, 0, 1, 2, 0, 1, 2]
    const scene = { version: 5, meshes: links.map((link) => ({ link })) }
    const pictures = { layerOf: [0, 1, 2, 2, 2, 3, 3, 3], layers: ["links", "object", "inertia", "force"], scene, poses: {}, closeUps: [] }
    const poses = { instants: count, at: (row, k) => 100 * row + k + 1 }
    const recorded = new Recorded(pictures, { series: () => poses }, { duration: 0.5, interval: 0.1 })
    for (let k = 0; k < 30; k += 1) {
      const shown = new Set(["inertia", "force"].filter(() => draw() < 0.6))
      recorded.only = draw() < 0.5 ? { force: [draw.integer(0, 2)] } : {}
      const wanted = links.flatMap((link, mesh) => {
        const layer = pictures.layers[pictures.layerOf[mesh]]
        const isOn = mesh < 2 || (shown.has(layer) && (layer !== "force" || !recorded.only.force || recorded.only.force[0] === link))
        return isOn ? [mesh] : []
      })
      const piece = new Piece(recorded.piece(shown, 9))
      assert.ok(piece.fits(8) && piece.version === 5 && piece.track === 9)
      assert.deepEqual([...piece.rowOf.keys()], wanted)
      assert.deepEqual([...piece.times].map((time) => time.toFixed(9)), [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.5].map((time) => time.toFixed(9)))
      wanted.forEach((mesh, row) => assert.equal(piece.poses[(3 * wanted.length + row) * 12 + 5], 100 * (12 * mesh + 5) + 4))
    }
  })
}

test("a frame that is not of this scene is not drawn", async () => {
  const { Frame } = await view("src/frame")
  const buffer = new ArrayBuffer(28 + 16 + 48 * 3), head = new DataView(buffer)
  for (const [at, number] of [[0, 4], [4, 17], [24, 2], [28, 0], [32, 1], [36, 3], [40, 5]]) head.setUint32(at, number, true)
  head.setFloat64(8, 123.5, true)
  head.setFloat64(16, 0.25, true)
  for (let k = 0; k < 36; k += 1) head.setFloat32(44 + 4 * k, k, true)
  const frame = new Frame(buffer)
  assert.deepEqual([frame.version, frame.number, frame.sent, frame.moment, ...frame.runs], [4, 17, 123.5, 0.25, 0, 1, 3, 5])
  assert.deepEqual([...frame.transforms], Array.from({ length: 36 }, (_, k) => k))
  assert.deepEqual([frame.fits(5), frame.fits(4), new Frame(buffer.slice(0, 28 + 16 + 48)).fits(5)], [true, false, false])
})
