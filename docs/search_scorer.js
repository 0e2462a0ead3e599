// How the search of the built pages ranks what it has found: whatever is called just what was asked for comes first.
// A quantity stands there as "a mechanic's name: an estimator's, symbol, its_name (stage)". The numbers are Sphinx's own.
var Scorer = (() => {
  const plainly = (words) => words.toLowerCase().replaceAll("_", " ").replace(/\s+/g, " ").trim()
  const namesOf = (title) => title.replace(/ \([^)]*\)$/, "").split(/[:,>]|(?<=\w)\.(?=\w)/).map(plainly)
  const asked = plainly(new URLSearchParams(location.search).get("q") ?? "")
  return {
    score: ([, title, , , score]) => score + 100 * (asked ? namesOf(title).filter((name) => name === asked).length : 0),
    objNameMatch: 11,
    objPartialMatch: 6,
    objPrio: { 0: 15, 1: 5, 2: -5 },
    objPrioDefault: 0,
    title: 15,
    partialTitle: 7,
    term: 5,
    partialTerm: 2,
  }
})()
