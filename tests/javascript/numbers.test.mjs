// Numbers as the browser writes, copies and shades them.
import assert from "node:assert/strict"
import { test } from "node:test"
import { given, load, random } from "./page.mjs"

test("a number reads in the browser as the server writes it", async () => {
  const { written } = await load("PlotBoard")
  for (const { value, beside, digits, padded, text } of given.numbers) {
    assert.equal(written(value, beside, digits, padded), text, `${value} beside ${beside}`)
  }
  for (const none of [NaN, Infinity, -Infinity]) assert.equal(written(none, 1), "–")
})

test("copied numbers keep all their digits for programs, and those that are shown for a page", async () => {
  const { copied } = await load("Sheet"), draw = random(1)
  for (let k = 0; k < 50; k += 1) {
    const [high, wide] = [draw.integer(1, 6), draw.integer(1, 6)]
    const rows = Array.from({ length: high }, () => Array.from({ length: wide }, () => draw.between(-1, 1) * 10 ** draw.integer(-9, 9)))
    const shown = rows.map((row) => row.map((value) => value.toExponential(2).replaceAll("-", "−").replace("+", "")))
    assert.deepEqual(copied("CSV", rows, shown).split("\n").map((line) => line.split(",").map(Number)), rows)
    const array = JSON.parse(copied("NumPy", rows, shown).replace(/np\.array\(|\)|\s/g, "").replaceAll(",]", "]"))
    assert.deepEqual(array, rows.length === 1 && wide === 1 ? rows[0][0] : wide === 1 ? rows.flat() : rows)
    const cells = copied("LaTeX", rows, shown).replace(/\\begin.*\n|\n\\end.*/g, "").split(" \\\\\n").map((line) => line.split(" & "))
    assert.deepEqual(cells, shown.map((row) => row.map((text) => text.replaceAll("−", "-").replace(/e(.*)/, " \\cdot 10^{$1}"))))
  }
  assert.equal(copied("NumPy", [[NaN, Infinity, -Infinity]], []), "np.array([\n    [np.nan, np.inf, -np.inf],\n])")
})

test("a cell is as dark as its share of the largest of its own unit", async () => {
  const { sharesIn } = await load("Sheet"), draw = random(2)
  const values = Array.from({ length: 36 }, (_, i) => draw.between(-5, 5) * (i < 18 ? 1e6 : 1))
  const shares = sharesIn(values, 6, 3)
  for (const [down, across] of [[0, 0], [0, 3], [3, 0], [3, 3]]) {
    const block = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => 6 * (down + row) + across + column))
    const largest = Math.max(...block.map((i) => Math.abs(values[i])))
    for (const i of block) assert.ok(Math.abs(shares[i] - Math.abs(values[i]) / largest) < 1e-15)
  }
  assert.deepEqual(sharesIn([0, 0, 0], 3, 3), [0, 0, 0])
})

test("the name of a saved file is one that every system takes, whatever it is about", async () => {
  const { fileName } = await load("PlotBoard"), draw = random(3)
  for (let k = 0; k < 300; k += 1) {
    const words = Array.from({ length: draw.integer(1, 3) }, () => String.fromCharCode(
      ...Array.from({ length: draw.integer(0, 80) }, () => (draw() < 0.5 ? draw.integer(1, 127) : draw.of([47, 92, 46, 60, 0x3b5, 0x20])))))
    assert.match(`a${fileName(...words)}`, /^a([a-z0-9]([a-z0-9._]*[a-z0-9])?)?$/)
  }
  assert.equal(fileName("../../etc/passwd", "ε", "Two arms & box"), "etc_passwd_two_arms_box")
})
