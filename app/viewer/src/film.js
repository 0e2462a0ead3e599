// What is seen, as a film that the browser itself records while it plays.
import { fileName, saveBlob } from '../../copying.js'

const TYPES = { 'video/webm;codecs=vp9': 'webm', 'video/webm': 'webm', 'video/mp4': 'mp4' }
const RATE = 30 // pictures a second

export class Film {
  constructor(canvas, { subject, changed }) {
    Object.assign(this, { canvas, subject, changed, recorder: null })
    this.type = Object.keys(TYPES).find((type) => globalThis.MediaRecorder?.isTypeSupported(type) && canvas.captureStream)
  }

  // Begins, or ends and saves what there is by then.
  toggle() {
    if (this.recorder) this.recorder.stop()
    else this.begin()
  }

  begin() {
    const parts = []
    this.recorder = new MediaRecorder(this.canvas.captureStream(RATE), { mimeType: this.type })
    this.recorder.addEventListener('dataavailable', ({ data }) => parts.push(data))
    this.recorder.addEventListener('stop', () => {
      for (const track of this.recorder.stream.getTracks()) track.stop()
      this.recorder = null
      this.changed(false)
      saveBlob(`${fileName(this.subject(), 'film')}.${TYPES[this.type]}`, new Blob(parts, { type: this.type }), this.canvas.parentElement)
    })
    this.recorder.start(1000)
    this.changed(true)
  }

  dispose() {
    for (const track of this.recorder?.stream.getTracks() ?? []) track.stop()
  }
}
