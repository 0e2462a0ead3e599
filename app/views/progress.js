// Where a browser keeps how far somebody has come in lessons: a page of lessons writes it, a follower's page reads it.
const PROGRESS = "armsweep-lessons"

const keptProgress = () => {
  try { return localStorage.getItem(PROGRESS) } catch { return null } // a browser that keeps nothing
}

/** Whether the question of a step, "gain/09_task", has been answered rightly. */
function isStepRight(name) {
  const [lesson, step] = name.split("/")
  try {
    return JSON.parse(keptProgress()).lessons[lesson][step][2] === 1
  } catch {
    return false
  }
}
