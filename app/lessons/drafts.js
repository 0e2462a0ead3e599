// What is filled in at steps of lessons and perhaps not sent yet: a browser keeps it as it keeps the progress.
const DRAFTS = "armsweep-drafts"
const MOST_DRAFTS = 60

const keptDrafts = () => {
  try {
    return new Map(Object.entries(JSON.parse(localStorage.getItem(DRAFTS)) ?? {}))
  } catch {
    return new Map()
  }
}

/** The last ones of a map from questions to what was filled in. */
function keepDrafts(given) {
  try {
    localStorage.setItem(DRAFTS, JSON.stringify(Object.fromEntries([...given].slice(-MOST_DRAFTS))))
  } catch { /* full, or forbidden: they last as long as the page */ }
}
