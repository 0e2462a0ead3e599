// A matrix as tiles, and its numbers in the forms that other programs read.

/** Adds the cells of a matrix: where its numbers begin, how many rows and columns, and which rows are the place's own. */
function addCells(table) {
  const first = Number(table.dataset.first), [rows, columns] = table.dataset.cells.split(" ").map(Number)
  const mine = (table.dataset.mine ?? "").split(" ")
  const body = table.createTBody()
  for (let row = 0; row < rows; row += 1) {
    const line = body.insertRow()
    line.classList.toggle("mine", mine.includes(String(row)))
    for (let column = 0; column < columns; column += 1) line.insertCell().dataset.n = first + row * columns + column
  }
}

/** How many of the cells of a table stand in a row. */
export const columnsOf = (cells) => cells.filter((cell) => cell.parentElement === cells[0].parentElement).length || 1

/** Each number's share of the largest one in its block of one unit; `block` is the side of a block. */
export function sharesIn(values, columns, block) {
  const most = new Map()
  const place = (i) => Math.floor(Math.floor(i / columns) / block) * columns + Math.floor((i % columns) / block)
  values.forEach((value, i) => most.set(place(i), Math.max(most.get(place(i)) ?? 0, Math.abs(value))))
  return values.map((value, i) => (most.get(place(i)) ? Math.abs(value) / most.get(place(i)) : 0))
}

// The darker the larger; a negative number is hatched. What is only rounding has no shade: `texts` shows which is.
function shade(cells, values, texts, block, strongest) {
  const shown = values.map((value, i) => (texts[i] === "0" || !Number.isFinite(value) ? 0 : value))
  sharesIn(shown, columnsOf(cells), block).forEach((share, i) => {
    cells[i].style.setProperty("--heat", `${Math.round(strongest * Math.sqrt(share))}%`)
    cells[i].classList.toggle("minus", shown[i] < 0)
  })
}

/** The side of the blocks of one unit: angular and linear where there are three of each. */
const blockOf = (rows, columns) => (rows % 3 || columns % 3 ? Math.max(rows, columns) : 3)

/** Rows of numbers as text: all their digits for programs, the digits `shown` for a page. */
export function copied(form, rows, shown) {
  const isColumn = rows.length > 1 && rows.every((row) => row.length === 1)
  if (form === "LaTeX") {
    const latex = (text) => text.replaceAll("−", "-").replace(/e(-?\d+)$/, " \\cdot 10^{$1}")
    if (shown.length === 1 && shown[0].length === 1) return latex(shown[0][0])
    return `\\begin{bmatrix}\n${shown.map((row) => row.map(latex).join(" & ")).join(" \\\\\n")}\n\\end{bmatrix}`
  }
  if (form === "CSV") return rows.map((row) => row.join(",")).join("\n")
  const number = (value) => (Number.isNaN(value) ? "np.nan" : Number.isFinite(value) ? String(value) : value > 0 ? "np.inf" : "-np.inf")
  if (rows.length === 1 && rows[0].length === 1) return number(rows[0][0])
  if (isColumn) return `np.array([${rows.map((row) => number(row[0])).join(", ")}])`
  return `np.array([\n${rows.map((row) => `    [${row.map(number).join(", ")}],`).join("\n")}\n])`
}
