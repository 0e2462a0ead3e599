// The camera of the 3D view.
import assert from "node:assert/strict"
import { test } from "node:test"
import { element, event, open, random, view } from "./page.mjs"
import { Vector3 } from "./three.mjs"

const { CameraRig } = await view("src/camera"), { Flight, spherical } = await view("src/flight")
const point = (draw, size = 1) => new Vector3(...[0, 1, 2].map(() => draw.between(-size, size)))
const BOUNDS = { corners: [new Vector3(1, 1, 1), new Vector3(-1, -1, 0)], center: new Vector3(0, 0, 0.5), radius: 1 }

function rigOf(address) {
  open(address)
  const canvas = element("canvas"), rig = new CameraRig(canvas, { changed() {}, escape() {}, choose() {}, showTurning() {} })
  return { rig, press: (key, more) => canvas.dispatchEvent(event("keydown", canvas, { key, ...more })) }
}

/** How far a point is from the middle of the picture, as a share of half its width or height: by the lines of sight. */
function spread({ camera, target }, corner) {
  const ahead = target.clone().sub(camera.position).normalize(), right = new Vector3().crossVectors(ahead, new Vector3(0, 0, 1)).normalize()
  const to = corner.clone().sub(camera.position), half = Math.tan((camera.fov / 2) * (Math.PI / 180)) * to.dot(ahead)
  return Math.max(Math.abs(to.dot(right)) / (half * camera.aspect), Math.abs(to.dot(new Vector3().crossVectors(right, ahead))) / half)
}

test("the view has the whole machine in the picture, no smaller than it has to be, and steps back where that moves out", () => {
  const draw = random(31)
  for (let k = 0; k < 60; k += 1) {
    const { rig } = rigOf(), size = 10 ** draw.between(-2, 2), center = point(draw, 0.2 * size)
    const corners = Array.from({ length: 12 }, () => point(draw, size)), later = corners.map((corner) => corner.clone().lerp(center, -0.7))
    const most = (all) => Math.max(...all.map((corner) => spread(rig, corner)))
    const [width, height] = [draw.between(200, 2000), draw.between(200, 1200)]
    rig.resize(width, height, { left: 0, top: 0, width, height })
    rig.suggest(null, { corners, center, radius: size }, null)
    assert.ok(most(corners) < 0.9 && most(corners) > 0.8, String(most(corners)))
    rig.include(later)
    assert.ok(most(later) < 1, String(most(later)))
  }
})

test("keys turn by equal angles at one distance, and nobody sees the floor from below", () => {
  const draw = random(32), { rig, press } = rigOf()
  rig.suggest(null, BOUNDS, null)
  const start = rig.describe(), before = rig.camera.position.clone()
  press("ArrowRight", { shiftKey: true })
  assert.ok(Math.abs(spherical(rig.camera.position).theta - spherical(before).theta - Math.PI / 36) < 1e-9)
  for (let k = 1; k < 72; k += 1) press("ArrowRight", { shiftKey: true })
  assert.equal(rig.describe(), start) // once round
  rig.suggest(null, BOUNDS, -0.1)
  for (let k = 0; k < 400; k += 1) {
    const place = () => spherical(rig.camera.position.clone().sub(rig.target)), before = place()
    const key = draw.of(["ArrowUp", "ArrowDown", "ArrowDown", "ArrowLeft"]), how = draw.of(["shiftKey", "ctrlKey"])
    press(key, { [how]: true })
    const after = place()
    assert.ok(rig.camera.position.z > -0.1 && rig.target.z >= -0.1 - 1e-12)
    assert.ok(Math.abs(after.radius - before.radius) < 1e-9 * before.radius)
    if (how === "shiftKey" && key !== "ArrowLeft") { // up is up, and on one bearing
      assert.ok(key === "ArrowUp" ? after.phi < before.phi : after.phi > before.phi - 1e-9)
      assert.ok(Math.abs(after.theta - before.theta) < 1e-6 || before.phi < 0.02 || after.phi < 0.02)
    }
  }
})

test("a view that a link or a lecturer brings is that view, and one that is none is the page's own", () => {
  const draw = random(33), { rig } = rigOf()
  rig.suggest(null, BOUNDS, null)
  const own = rig.describe()
  for (let k = 0; k < 60; k += 1) {
    const text = [...point(draw, 9).toArray(), ...point(draw, 1).toArray()].map((x) => x.toFixed(4)).join(" ")
    assert.equal(rigOf(`http://here/app?camera=${encodeURIComponent(text)}`).rig.describe(), text)
    rig.look(text)
    assert.equal(rig.describe(), text)
    rig.look(draw.of(["", "1 2 3", "1 1 1 1 1 1", "1 2 3 4 5 x", "1e9 0 0 0 0 0", "NaN 0 0 0 0 1", null]))
    assert.equal(rig.describe(), own)
  }
})

test("a camera flies to another view the short way round, never nearer nor farther than at both ends", () => {
  const draw = random(34)
  for (let k = 0; k < 200; k += 1) {
    const [from, to] = [0, 1].map(() => ({ position: point(draw, 5), target: point(draw) })), flight = new Flight(from, to, 100)
    const offset = ({ position, target }) => position.clone().sub(target)
    const [least, most] = [from, to].map((each) => offset(each).length()).sort((one, other) => one - other)
    assert.ok(flight.at(100).position.distanceTo(from.position) < 1e-6)
    let turned = 0, last = from
    for (let now = 100; now < 550; now += 5) {
      const here = flight.at(now), [a, b] = [offset(last), offset(here)]
      assert.ok(b.length() > least - 1e-6 && b.length() < most + 1e-6)
      turned += Math.atan2(a.x * b.y - a.y * b.x, a.x * b.x + a.y * b.y)
      last = here
    }
    const isSteep = [from, to].some((each) => Math.hypot(offset(each).x, offset(each).y) < 0.05 * offset(each).length())
    assert.ok(isSteep || Math.abs(turned) <= Math.PI + 1e-6, String(turned))
    assert.ok(last.position.distanceTo(to.position) < 0.02 * (offset(from).length() + most)) // no leap at the end
    assert.deepEqual([flight.over, flight.at(551), flight.over], [false, to, true])
  }
})
