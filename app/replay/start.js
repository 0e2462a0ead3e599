// Unpacks the file and starts it: data and arrays are compressed in the page itself, its scripts among them.
const word = document.getElementById("word")

async function unpacked(text) {
  const packed = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))
  return new Response(stream).arrayBuffer()
}

async function module(text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }))
  try {
    return await import(url)
  } finally {
    URL.revokeObjectURL(url)
  }
}

try {
  if (!window.DecompressionStream) throw new Error("this browser is too old to unpack it (before 2023)")
  const parcel = document.getElementById("parcel")
  const buffer = await unpacked(parcel.textContent)
  parcel.remove()
  const length = Number(new BigUint64Array(buffer, 0, 1)[0])
  const data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 8, length)))
  const { bokeh, ...texts } = data.scripts
  const library = document.createElement("script")
  library.textContent = bokeh
  document.head.append(library)
  const views = {}
  for (const [name, text] of Object.entries(texts)) views[name] = await module(text)
  await views.replay.play(data, { buffer, from: 8 + length }, views)
  word.remove()
} catch (error) {
  word.textContent = `This replay cannot be shown: ${error.message ?? error}.`
  throw error
}
