// A formula is one line: where that is too long for what it stands in, it is written smaller.
function fitFormulas(formulas) {
  for (const math of formulas) math.style.fontSize = ""
  const shares = formulas.map((math) => (math.parentElement.clientWidth - 4) / math.getBoundingClientRect().width)
  formulas.forEach((math, i) => {
    if (shares[i] < 1) math.style.fontSize = `${parseFloat(getComputedStyle(math).fontSize) * shares[i]}px`
  })
}
