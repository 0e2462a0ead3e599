// Whether pictures of a run come as often as a motion needs to look smooth: what is not needed for it gives way.
const LEAST = 28 // a second
const COUNTED = 60 // pictures, over which it is judged
const TIMES = 2 // in a row, that it is to be slow: others may want the processor for a moment
const PAUSE_MS = 250 // more than that between two is a rest, not slowness

export class Pace {
  constructor() {
    this.forget()
  }

  forget() {
    this.last = this.spent = this.count = this.late = 0
    this.slow = false
  }

  // A picture of a run has been drawn.
  mark(now) {
    const since = now - this.last
    this.last = now
    if (since > PAUSE_MS) this.spent = this.count = 0
    else {
      this.spent += since
      this.count += 1
    }
    if (this.count < COUNTED) return
    this.late = this.spent / this.count > 1000 / LEAST ? this.late + 1 : 0
    this.slow ||= this.late >= TIMES
    this.spent = this.count = 0
  }
}
