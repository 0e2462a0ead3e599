// The clock of a run that the browser plays, before a stage that only notes what it is shown.
import assert from "node:assert/strict"
import { test } from "node:test"
import { open, random, view } from "./page.mjs"

const sources = { ...await view("src/track"), ...await view("src/player") }
const INTERVAL = 0.02 // s
const round = (number) => Math.round(1e5 * number) / 1e5 // pictures are in single precision

/** A player, what it shows and says, and ways to tell it something; `x` says where each mesh is at an instant. */
function alone({ Piece, Player }, meshes = 1) {
  const clock = open(), shown = [], sent = []
  const stage = {
    version: 1, canvas: { dataset: {} }, actors: { meshes: Array.from({ length: meshes }, () => ({ userData: { kind: "link" } })) },
    receive: (frame) => shown.push(frame), show: (frame) => shown.push(round(frame.transforms[3])),
  }
  const player = new Player(stage, (message) => sent.push(message))
  let number = 0
  const follow = (state) => player.follow({
    number: number += 1, track: 1, interval: INTERVAL, jump: 0, time: 0, playing: true, speed: 1, known: 1, complete: true,
    duration: 1, live: false, report: 1, run: 0, act: 0, whole: false, ...state,
  })
  const take = (track, first = 0, count = 51, x = () => track) => {
    const buffer = new ArrayBuffer(40 + 8 * count + 48 * count * meshes)
    new Uint32Array(buffer, 0, 8).set([Piece.MARK, 1, track, 1, first, 1, count, 1])
    new Float64Array(buffer, 32, count).set(Array.from({ length: count }, (_, k) => INTERVAL * (first + k)))
    new Uint32Array(buffer, 32 + 8 * count, 2).set([0, meshes])
    const rows = new Float32Array(buffer, 40 + 8 * count)
    for (let row = 0; row < count * meshes; row += 1) {
      rows.set([1, 0, 0, x(first + Math.floor(row / meshes), row % meshes), 0, 1, 0, 0, 0, 0, 1, 0], 12 * row)
    }
    player.take(new Piece(buffer))
  }
  return { clock, player, shown, sent, follow, take, stage }
}

for (const [name, built] of Object.entries({ sources, bundle: await view("bundle/viewer.bundle") })) {
  test(`the motion of another run is not shown by pictures of the last, another look of the same run is (${name})`, () => {
    const { player, shown, follow, take } = alone(built)
    follow({ time: 0.5 })
    const look = (track) => () => follow({ track, run: 1 }), come = (track) => () => take(track)
    for (const act of [come(1), look(2), come(2), look(3), come(1), come(3)]) {
      act()
      player.draw()
    }
    assert.deepEqual(shown, [1, 2, 2, 2, 3]) // nothing at first of another run; the look that comes late is nobody's
  })

  test(`what the server says before it has heard of the last wish, or late, moves nothing (${name})`, () => {
    const { player, sent, follow } = alone(built)
    const stands = () => [player.time, player.running]
    follow({ time: 0.6 })
    player.toggle()
    assert.deepEqual(stands(), [0.6, false])
    player.toggle()
    follow({ playing: false, jump: 1, time: 0.4, act: 1 })
    assert.deepEqual(stands(), [0.6, true])
    follow({ act: 2 })
    follow({ number: 2, playing: false, jump: 1, time: 0.9, act: 2 })
    assert.deepEqual(stands(), [0.6, true])
    follow({ playing: false, jump: 2, time: 0.2, act: 2 }) // its own, and newer
    assert.deepEqual(stands(), [0.2, false])
    assert.deepEqual(sent.filter(({ act }) => act).map(({ act, playing }) => [act, playing]), [[1, false], [2, true]])
  })

  test(`a step is at once, a hundredth of a second from where it stands, and stops it (${name})`, () => {
    const { player, shown, sent, follow, take } = alone(built)
    follow({ time: 0.5004 })
    take(1, 0, 51, (k) => 0.01 * k)
    for (const by of [1, -1, -1]) player.step(by)
    assert.deepEqual(shown, [0.255, 0.25, 0.245])
    assert.deepEqual({ ...sent.at(-1), moment: round(sent.at(-1).moment) }, { moment: 0.49, jump: 0, held: false, playing: false, act: 3 })
    const draw = random(8)
    for (let k = 0, wanted = 0.49; k < 60; k += 1) {
      const by = draw.integer(-30, 30)
      player.step(by)
      wanted = Math.min(Math.max(wanted + 0.01 * by, 0), 1)
      assert.ok(Math.abs(player.time - wanted) < 1e-9 && !player.running)
    }
  })

  test(`what the walk draws is left to the server while one steps or scrubs (${name})`, () => {
    const { player, stage, follow, take } = alone(built, 3)
    const pictures = []
    stage.show = (frame) => {
      stage.frame = frame
      pictures.push([[...frame.runs], [...frame.transforms].filter((_, k) => k % 12 === 3).map(round)])
    }
    follow({ playing: false, time: 0.5, ruled: [1, 3] })
    take(1, 0, 51, (k, mesh) => 0.01 * k + 10 * mesh)
    stage.frame = { runs: [0, 2], transforms: Float32Array.from({ length: 24 }, (_, k) => (k % 12 === 3 ? 77 : 0)) }
    player.step(1)
    player.seek(0.6, true) // gone while the scrubber is held
    follow({ playing: true, act: 1 })
    player.held = false
    player.draw()
    assert.deepEqual(pictures, [[[0, 1, 1, 2], [0.255, 77]], [[0, 1], [0.3]], [[0, 3], [0.3, 10.3, 20.3]]])
  })

  test(`what is wished before anything is known is done then, and said until it is heard (${name})`, async () => {
    const { clock, player, sent, follow } = alone(built)
    player.toggle()
    follow()
    assert.equal(player.running, false)
    await clock.advance(1200)
    assert.deepEqual(sent.map(({ playing, act }) => [playing, act]), [[false, 1], [false, 1]])
    follow({ playing: false, act: 1 })
    await clock.advance(5000)
    assert.equal(sent.length, 2)
    const other = alone(built)
    other.player.toggle()
    other.player.toggle()
    other.follow()
    assert.equal(other.player.running, true)
  })

  test(`a gap without a solution is waited for, and gone over when all that there is has come (${name})`, () => {
    const { player, shown, follow, take } = alone(built)
    follow({ time: 0.19 })
    take(1, 0, 11, () => 1)
    take(1, 30, 11, () => 2)
    player.draw()
    player.advance(0.1)
    assert.equal(player.time, 0.19)
    follow({ whole: true })
    for (let k = 0; k < 9; k += 1) {
      player.advance(0.1)
      player.draw()
    }
    assert.deepEqual([shown, player.time], [[1, 1, 1, 1, 1, 2, 2, 2, 2, 1], 0])
  })

  test(`it plays at its speed and says where it is, and a hidden tab is a hitch however long (${name})`, () => {
    const { clock, player, sent, follow, take } = alone(built)
    follow({ report: 0.1, speed: 0.5 })
    take(1)
    sent.length = 0
    for (let k = 0; k < 20; k += 1) clock.picture(33)
    assert.equal(round(player.time), round(0.5 * 19 * 0.033))
    const steps = sent.slice(1).map(({ moment }, k) => moment - sent[k].moment)
    assert.ok(sent.length >= 4 && sent.length <= 7 && steps.every((step) => step > 0 && step < 0.1))
    document.hidden = true
    document.dispatchEvent(new Event("visibilitychange"))
    const { time } = player
    assert.equal(sent.at(-1).moment, time)
    clock.picture(600000)
    assert.ok(player.time - time <= 0.5 * 0.25 + 1e-9)
  })

  test(`a scrubber that is held is heard of when it rests and when it is let go, and the picture follows at once (${name})`, async () => {
    const { clock, player, shown, sent, follow, take } = alone(built)
    follow()
    take(1, 0, 51, (k) => k)
    sent.length = 0
    const seek = (time, held) => document.dispatchEvent(new CustomEvent("armsweep:seek", { detail: { time, held } }))
    for (const time of [0.2, 0.4, 0.6, 7]) {
      seek(time, true)
      await clock.advance(100)
    }
    follow({ jump: 4, time: 0.1 }) // the server moves nothing that is in somebody's hand
    assert.deepEqual([shown, sent.length, player.time, player.running], [[10, 20, 30, 50], 1, 1, false])
    await clock.advance(60)
    seek(0.3, false)
    assert.deepEqual(sent.map(({ moment, held }) => [moment, held]), [[0.2, true], [1, true], [0.3, false]])
    assert.equal(player.running, true)
  })

  test(`a still picture of another moment is not shown, nor any while it plays (${name})`, () => {
    const { player, shown, follow, take } = alone(built)
    follow({ playing: false, time: 0.5 })
    for (const moment of [0.4, 0.5, NaN]) player.receive({ moment })
    take(1)
    follow({ playing: true, time: 0.5 })
    player.receive({ moment: 0.5 })
    assert.deepEqual(shown.map(({ moment }) => moment), [0.5, NaN])
  })

  test(`of a run without an end the timeline goes along, and what is over cannot be gone to (${name})`, () => {
    const { player, follow, take } = alone(built)
    const endless = { window: 10, complete: false, duration: 1e9 }
    follow({ ...endless, known: 4, time: 3 })
    assert.deepEqual(player.span, [0, 10])
    take(1, 150, 51)
    player.advance(50)
    assert.equal(player.time, 4) // as far as it is known
    follow({ ...endless, known: 30, begin: 15, time: 25, jump: 1 })
    assert.deepEqual(player.span, [17, 27])
    assert.deepEqual([2, 99].map((time) => [player.seek(time, false), player.time][1]), [15, 30])
  })
}
