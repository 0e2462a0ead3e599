// The clock of a run that the browser plays. It knows nothing of mechanics: it shows what it was given, between the
// instants that it was given, and says where it is. The rest of the page follows it by an event of the document,
// `armsweep:moment`, and moves it by another, `armsweep:seek`.
import { FAR, Track, exchanged } from './track.js'

const LONGEST = 0.25 // s of watching that one picture may make up for, after a hitch or in a tab that was hidden
const REST_MS = 150 // for which a scrubber that is held has to rest before the server hears of it
const ACT_MS = 20 // within which what a user does needs no second report
const SOFT_MS = 30 // between two pictures that the processor draws: every second one of most displays
const BUSY_MS = 100 // the same while it puts the page together
const SAME = 1e-6 // s
const STEP = 1e-2 // s, of the keys and buttons that step
const RESOLUTION = 1e-3 // s, of what the server steps from
const LEAD = 2 // s of a timeline that goes along with the clock, ahead of it
const INSIST_MS = 1000 // after which what the user wants is said again, if the server has not heard of it

export class Player {
  constructor(stage, send) {
    this.stage = stage // null where there is no WebGL
    this.send = send
    this.state = null
    this.time = 0
    this.held = false
    this.wish = null // whether the user wants it to play, of which the server has not heard yet
    this.acts = 0 // how often the user has wished something
    this.early = false // whether it is to be toggled as soon as it is known what it does
    this.jump = null // the last of the server's that it has made
    this.shown = null // the track on show, and below one that is to replace it as soon as it has this instant
    this.coming = null
    this.reported = 0
    this.front = 0 // s, the latest instant that has been seen of a run without an end
    this.onSeek = ({ detail }) => this.seek(detail.time, detail.held)
    this.onAsk = () => this.tell()
    this.onToggle = () => this.toggle()
    this.onStep = ({ detail }) => this.step(detail)
    this.onAct = () => { if (this.running && performance.now() - this.reported > ACT_MS) this.report() }
    this.onHidden = () => { if (document.hidden) this.report() }
    document.addEventListener('armsweep:seek', this.onSeek)
    document.addEventListener('armsweep:ask', this.onAsk)
    document.addEventListener('armsweep:toggle', this.onToggle)
    document.addEventListener('armsweep:step', this.onStep)
    document.addEventListener('visibilitychange', this.onHidden)
    for (const act of ['pointerdown', 'keydown']) addEventListener(act, this.onAct, true)
  }

  // Whether it moves by itself; where the server leads, and where there is none, it does not.
  get running() {
    return this.playing && !this.state.live && !this.held
  }

  get playing() {
    return !!this.state && (this.wish ?? this.state.playing)
  }

  // What the server wants: which track, whether it plays, how fast, how far the run is known, and where it stands if
  // the server has moved it. What it says before it has heard of the user's last wish is overtaken by that.
  follow(state) {
    if (state.number < this.state?.number) return
    const first = !this.state
    if ((state.act ?? 0) >= this.acts) this.wish = null
    if (this.wish === null || first || state.live) {
      if ((first || state.live || state.jump !== this.jump) && !this.held) this.time = state.time
      this.jump = state.jump
    }
    if (!first && state.run !== this.state.run) [this.shown, this.front] = [null, this.time] // another motion
    this.state = state
    for (const track of [this.shown, this.coming]) track?.forget(state.begin ?? 0)
    if (![this.shown?.number, this.coming?.number].includes(state.track)) this.coming = new Track(state.track, state.interval)
    if (this.early) this.toggle()
    this.tell() // before whatever else the server says of the moment
    this.wake()
  }

  take(piece) {
    const track = [this.coming, this.shown].find((one) => one?.number === piece.track)
    if (!track || piece.version !== this.stage?.version || !piece.fits(this.stage.actors.meshes.length)) return // late
    track.take(piece)
    this.send({ taken: piece.track, number: piece.number })
    this.wake()
  }

  // A picture that the server has made of one instant: all that can be shown there, where the run stands still.
  receive(frame) {
    const elsewhere = !Number.isNaN(frame.moment) && Math.abs(frame.moment - this.time) > SAME
    if (this.state && !this.state.live && (elsewhere || (this.running && this.track))) return
    this.stage.receive(frame)
  }

  forget() {
    this.shown = null
    this.coming = this.state && new Track(this.state.track, this.state.interval)
  }

  // The track that has the present instant, the newest first.
  get track() {
    if (this.coming?.covers(this.time, this.far)) [this.shown, this.coming] = [this.coming, null]
    return this.shown?.covers(this.time, this.far) ? this.shown : null
  }

  // How far apart, in instants, two may be between which there is a picture: once all have come, as far as it takes.
  get far() {
    return this.state.whole ? Infinity : FAR
  }

  wake() {
    if (!this.pending) this.pending = requestAnimationFrame((now) => this.tick(now))
  }

  tick(now) {
    this.pending = 0
    if (!this.state) return
    if (this.running && this.stage?.software && now - this.last < (this.stage.isHurried ? BUSY_MS : SOFT_MS)) {
      this.wake()
      return
    }
    if (this.running) {
      if (this.last) this.advance(Math.min((now - this.last) / 1e3, LONGEST) * this.state.speed)
      if (now - this.reported > 1e3 * this.state.report) this.report()
      this.draw()
      this.wake()
    }
    this.last = this.running ? now : 0
    this.tell()
  }

  // It waits for what is not known yet, and begins anew after the end.
  advance(by) {
    const { known, complete, duration } = this.state
    const before = this.time
    const end = complete ? Math.min(known, duration) : known
    const start = this.state.begin ?? 0
    this.time = this.time + by <= end ? this.time + by : complete ? start : Math.max(this.time, end)
    if (this.stage && !this.track && this.time !== start) this.time = before
  }

  draw() {
    const { track } = this
    if (!track || !this.stage) return
    Object.assign(this.stage.canvas.dataset, { track: track.number, instants: track.instants.size })
    const picture = track.at(this.time, (mesh) => this.stage.actors.meshes[mesh].userData.kind, this.far)
    this.stage.show(this.ruled.length ? exchanged(picture, this.ruled, this.held ? null : this.stage.frame) : picture)
  }

  // The meshes that the walk draws while the motion stands still: of another instant only the server knows them.
  get ruled() {
    return (!this.playing && this.state.ruled) || []
  }

  seek(time, held) {
    if (!this.state) return
    const began = held && !this.held
    this.held = held
    this.time = this.within(time)
    clearTimeout(this.resting)
    this.draw()
    this.tell()
    if (held && !began) this.resting = setTimeout(() => this.say(), REST_MS)
    else this.say()
    this.wake()
  }

  // What the timeline shows: the whole run, or, of one without an end, the recent past and a little more.
  get span() {
    const { begin = 0, duration, window = 0 } = this.state
    if (!window) return [begin, duration]
    this.front = Math.max(this.front, this.time)
    const end = Math.max(this.front + LEAD, window)
    return [end - window, end]
  }

  within(time) {
    const { begin = 0, duration, known, window = 0 } = this.state
    return Math.min(Math.max(time, begin), window ? known : duration)
  }

  // Play and pause, by the user: at once, however late the server hears of it.
  toggle() {
    this.early = !this.state && !this.early
    if (!this.state) return
    this.act(!this.playing)
  }

  // To the hundredth of a second after this or before it, where it stands.
  step(count) {
    if (!this.state) return
    const from = Math.round(this.time / RESOLUTION) * RESOLUTION
    this.time = this.within(from + count * STEP)
    this.act(false)
    this.draw()
    this.tell()
  }

  act(wish) {
    this.wish = wish
    this.acts = Math.max(this.acts, this.state.act ?? 0) + 1
    this.insist()
    this.wake()
  }

  insist() {
    clearTimeout(this.insisting)
    if (this.wish === null) return
    this.say()
    this.insisting = setTimeout(() => this.insist(), INSIST_MS)
  }

  // To the server, where it is.
  report() {
    if (this.state && !this.state.live) this.say()
  }

  // Also where the server leads: the timeline is the user's all the same.
  say() {
    this.reported = performance.now()
    const wish = this.wish === null ? {} : { playing: this.wish, act: this.acts }
    this.send({ moment: this.time, jump: this.jump, held: this.held, ...wish })
  }

  // To the page, in the same picture.
  tell() {
    if (!this.state) return
    const { playing, time, span: [begin, duration] } = this
    const detail = { time, begin, duration, playing, heard: this.wish === null }
    document.dispatchEvent(new CustomEvent('armsweep:moment', { detail }))
  }

  dispose() {
    cancelAnimationFrame(this.pending)
    clearTimeout(this.resting)
    clearTimeout(this.insisting)
    document.removeEventListener('armsweep:seek', this.onSeek)
    document.removeEventListener('armsweep:ask', this.onAsk)
    document.removeEventListener('armsweep:toggle', this.onToggle)
    document.removeEventListener('armsweep:step', this.onStep)
    document.removeEventListener('visibilitychange', this.onHidden)
    for (const act of ['pointerdown', 'keydown']) removeEventListener(act, this.onAct, true)
  }
}
