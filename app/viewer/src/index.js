// Entry of the Panel component: binds the model's parameters to a Stage, or to pictures where there is no WebGL.
import { Film } from './film.js'
import { Frame } from './frame.js'
import { Overlay, entries, scales } from './overlay.js'
import { Parcel } from './parcel.js'
import { photograph } from './photograph.js'
import { PictureForm } from './picture_form.js'
import { Player } from './player.js'
import { Recorded } from './recorded.js'
import { lacking, readScene, takeShapes } from './scene.js'
import { Stage } from './stage.js'
import { KEYS_OF_VIEWS } from './tour.js'
import { Piece, Track } from './track.js'
import { ViewButtons } from './view_buttons.js'
import { probe } from './webgl.js'

export function render({ model, view, el }) {
  view.armsweepDispose?.()
  el.style.width = el.style.height = '100%'
  const overlay = new Overlay()
  const support = probe()
  let stage = null
  let buttons = null
  let form = null
  let film = null
  const player = new Player(null, (message) => model.send_msg(message))

  const giveUp = () => {
    stage?.dispose()
    buttons?.dispose()
    form?.dispose()
    film?.dispose()
    stage = player.stage = null
    model.webgl = false
    overlay.showPictures(model.fallback_image)
  }
  const select = (index) => {
    overlay.announce(stage?.nameOf(index))
    model.selected = index
  }
  const applyTheme = () => {
    overlay.theme = model.theme
    stage?.setTheme(model.theme)
  }
  let waits = false // for shapes of the scene that is to come
  const ask = (shapes) => model.send_msg({ shapes })
  const applyScene = () => {
    const shapes = lacking(model.scene)
    waits = shapes.length > 0
    if (waits) return ask(shapes) // it goes on when they have come
    const scene = readScene(model.scene)
    if (!scene) return
    const drew = player.state !== null // then it knows where it is, and has missed nothing but pieces
    player.report()
    stage?.setScene(scene)
    player.forget()
    if (scene.play) player.follow(scene.play)
    for (const piece of scene.pieces) player.take(new Piece(piece))
    applySelected()
    applyNotes()
    model.send_msg(drew ? 'redrawn' : 'ready')
  }
  const applySelected = () => stage?.select(model.selected, model.marked)
  const applyNotes = () => overlay.setNotes(model.legend, model.caption, stage?.cell, overlay.canvas.dataset.shadow)
  const applyShadow = () => { if (stage) stage.casting = model.shadow !== false }
  const onView = ({ detail }) => stage?.look(Object.values(KEYS_OF_VIEWS)[detail])

  // What a picture of this moment says of it.
  const about = () => {
    const subject = model.subject || document.title
    const moment = Number(stage.canvas.dataset.moment ?? NaN)
    const time = Number.isFinite(moment) ? moment.toFixed(3) : ''
    const heading = subject + (time && `, t = ${time} s`)
    return { subject, time, lines: [heading, scales(model.caption, stage.cell).join(' · ')], legend: entries(model.legend), theme: model.theme }
  }

  if (support.available) {
    try {
      stage = new Stage(overlay.canvas, overlay.room, overlay.label, support, {
        select,
        drag: (message) => {
          if (message.phase === 'start') {
            player.report()
            overlay.knowsDrag()
          }
          model.send_msg(message)
        },
        lost: () => overlay.setStatus('The graphics context was lost; waiting for it to come back…'),
        restored: () => overlay.setStatus(''),
        failed: giveUp,
        turning: (on) => buttons?.turntable(on),
        shaded: () => applyNotes(),
        ask,
      })
      form = new PictureForm(overlay.drawing, {
        take: (width, height, goesOn) => photograph(stage, width, height, goesOn),
        about,
        closed: () => buttons.picture.focus(),
      })
      film = new Film(overlay.canvas, { subject: () => model.subject || document.title, changed: (on) => buttons.filming(on) })
      buttons = new ViewButtons(overlay.drawing, (view) => stage.look(view), () => form.open(), film.type && (() => film.toggle()))
      player.stage = stage
    } catch (error) {
      console.warn(`WebGL could not start: ${error}`)
    }
  }
  const applyDraggable = () => {
    if (!stage) return
    Object.assign(stage.drag, { enabled: model.draggable, bases: model.bases })
    overlay.offersDrag(model.draggable)
  }
  applyTheme()
  applyNotes()
  applyDraggable()
  if (stage) {
    model.webgl = true
    document.addEventListener('armsweep:aspect', onView)
    applyShadow()
    applyScene()
    applySelected()
  } else giveUp()

  model.on('scene', applyScene)
  model.on('theme', applyTheme)
  model.on(['selected', 'marked'], applySelected)
  model.on(['legend', 'caption'], applyNotes)
  model.on(['draggable', 'bases'], applyDraggable)
  model.on('shadow', applyShadow)
  model.on('words', () => stage?.say(model.words))
  model.on('fallback_image', () => { if (!stage) overlay.showPictures(model.fallback_image) })
  model.on('msg:custom', (data) => {
    const said = data instanceof ArrayBuffer ? {} : data.data ?? data
    if (data instanceof ArrayBuffer && takeShapes(data)) return waits ? applyScene() : stage?.fill()
    if (said.begun) document.dispatchEvent(new CustomEvent('armsweep:begun'))
    else if (said.spoken) overlay.speak(said.spoken)
    else if (said.dropped) stage?.drag.letGo()
    else if (said.play) player.follow(said.play)
    else if (new Uint32Array(data, 0, 1)[0] === Piece.MARK) player.take(new Piece(data))
    else if (said.grown) {
      if (stage) stage.grown = said.grown
    } else if (stage) {
      player.receive(new Frame(data))
      stage.grown = null // whether it was shown or not: this is said of one picture
    }
  })

  view.armsweepMoment = () => player.time
  view.armsweepDispose = () => {
    document.removeEventListener('armsweep:aspect', onView)
    player.dispose()
    form?.dispose()
    film?.dispose()
    stage?.dispose()
    overlay.dispose()
    stage = null
  }
  model.on('remove', () => view.armsweepDispose())
  view.model.document.on_event('connection_lost', () => { player.send = () => {} }) // it goes on with what it has
  document.dispatchEvent(new CustomEvent('armsweep:view', { detail: overlay.root })) // to whatever holds its place
  return overlay.root
}
export { Parcel, Recorded } // for pages that have a run at hand
export { Piece, Player, Track } // for tests, which hold what is shown between two instants to the mechanics
