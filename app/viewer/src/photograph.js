// What is seen as a picture of any size, drawn in pieces that every renderer can draw, each finer than its pixels.
import { Vector2 } from 'three'

const PIECE = 1024 // pixels of the picture along an edge
const FINER = 2 // drawn pixels along an edge of one: they stand in for anti-aliasing

function* pieces(width, height) {
  for (let top = 0; top < height; top += PIECE) {
    for (let left = 0; left < width; left += PIECE) {
      yield [left, top, Math.min(PIECE, width - left), Math.min(PIECE, height - top)]
    }
  }
}

/**
 * The moment that a stage shows, with all that is seen of it where nothing covers it, and what lies around that where the
 * picture's shape is another. The page stays alive between two pieces, but its picture stands still.
 *
 * `goesOn`: hears the share that is done, and says whether to go on. Returns a canvas, null if it was not to go on.
 */
export async function photograph(stage, width, height, goesOn) {
  const { renderer, canvas, version } = stage
  const room = stage.free(canvas.clientWidth, canvas.clientHeight)
  const scale = Math.min(width / room.width, height / room.height) // pixels to one of the screen
  const [left, top] = [(width / scale - room.width) / 2, (height / scale - room.height) / 2]
  const camera = stage.rig.prepare().clone()
  const picture = Object.assign(document.createElement('canvas'), { width, height })
  const paper = picture.getContext('2d')
  paper.imageSmoothingQuality = 'high'
  const ratio = renderer.getPixelRatio()
  const size = renderer.getSize(new Vector2())
  let done = 0
  stage.posing = true
  try {
    for (const [x, y, wide, high] of pieces(width, height)) {
      if (!goesOn(done / (width * height))) return null
      if (stage.version !== version || renderer.getContext().isContextLost()) throw new Error('the scene has changed meanwhile')
      camera.setViewOffset(room.width, room.height, x / scale - left, y / scale - top, wide / scale, high / scale)
      renderer.setPixelRatio(1)
      renderer.setSize(wide * FINER, high * FINER, false)
      stage.ground.draw(scale * FINER)
      stage.paint(camera, new Vector2(wide, high).divideScalar(scale), stage.casts, scale * FINER,
        new Vector2(x, height - y - high).divideScalar(scale))
      paper.drawImage(canvas, x, y, wide, high)
      stage.ground.draw(0)
      renderer.setPixelRatio(ratio)
      renderer.setSize(size.x, size.y, false)
      stage.renderOnce() // before anybody sees it
      done += wide * high
      await new Promise((next) => { setTimeout(next) })
    }
  } finally {
    stage.posing = false
    stage.ground.draw(0)
    if (stage.sized) stage.resize()
  }
  return picture
}
