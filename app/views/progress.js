// Where a browser keeps how far somebody has come in lessons.
const PROGRESS = "armsweep-lessons"

const keptProgress = () => {
  try { return localStorage.getItem(PROGRESS) } catch { return null } // a browser that keeps nothing
}
