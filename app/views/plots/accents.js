const ACCENTS = {"\u0307": "one", "\u0308": "two"}

/** A text with drawn accents, a dot or two over a letter: fonts put theirs beside the letter, or onto it. */
function accented(text) {
  return text.split(/(.[\u0307\u0308])/).filter(part => part).map(part => {
    if (!ACCENTS[part[1]]) return part
    const [letter, mark] = [document.createElement("span"), document.createElement("i")]
    letter.className = `over ${ACCENTS[part[1]]}`
    mark.textContent = part[1] // read and copied, but not drawn
    letter.append(part[0], mark)
    return letter
  })
}
