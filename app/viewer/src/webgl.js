// What the browser can draw, tried on a throw-away canvas: anti-aliasing has to be chosen before the real context.
const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i

export function probe() {
  if (new URLSearchParams(window.location.search).get('webgl') === 'off') return { available: false, software: false }
  const gl = document.createElement('canvas').getContext('webgl2')
  if (!gl) return { available: false, software: false }
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const name = gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER)
  gl.getExtension('WEBGL_lose_context')?.loseContext()
  return { available: true, software: SOFTWARE.test(name) }
}
