// How numbers are written in the browser: the rule of number_text.py, which puts this before the files that need it.
export function written(value, largest, digits = 4, padded = true) {
  if (!Number.isFinite(value)) return "–"
  if (Math.abs(value) <= 1e-12 * largest || value === 0) return "0"
  const size = Math.abs(value)
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1) : value.toPrecision(digits)
  let [mantissa, power] = text.split("e")
  if (!padded && mantissa.includes(".")) mantissa = mantissa.replace(/\.?0+$/, "")
  return (power ? `${mantissa}e${Number(power)}` : mantissa).replaceAll("-", "−")
}
