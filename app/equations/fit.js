// A formula is one line: if that is too long for its container, it is written smaller.
function fitFormulas(formulas) {
  for (const math of formulas) math.style.fontSize = ""
  const shares = formulas.map((math) => (math.parentElement.clientWidth - 4) / math.getBoundingClientRect().width)
  formulas.forEach((math, i) => {
    if (shares[i] < 1) math.style.fontSize = `${parseFloat(getComputedStyle(math).fontSize) * shares[i]}px`
  })
}
