// Small buttons at the edge of the 3D view, for a pointer or a finger; by keys the same is reached without them.
const DRAWN = {
  whole: ['Whole picture (0)', 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4'],
  front: ['Front view (1)', 'M5 5h6v6H5zM2 2h12v12H2z'],
  side: ['View from the side (2)', 'M3 5l5-3 5 3v6l-5 3-5-3zM8 8v6M3 5l5 3 5-3'],
  top: ['View from above (3)', 'M8 1v5M5.8 4 8 6.2 10.2 4M3 9h10v5H3z'],
  turntable: ['Turntable: slowly round (T)', 'M13.5 9.5C13 12 10.800 13.500 8 13.500 4.500 13.500 2 11.500 2 9s2.500-4.500 6-4.500h3M9 2l2.600 2.500L9 7'],
}

export const BUTTONS_STYLE = `
/* As large as the type of the page (screen.js). */
.armsweep .views { zoom: var(--scale, 1); position: absolute; right: calc(var(--notes-right, 0px) / var(--scale, 1) + 6px);
  bottom: calc(var(--room-bottom, 0px) + 6px); display: flex; gap: 2px; opacity: 0.62; transition: opacity 0.15s; }
.armsweep .views:hover, .armsweep .views:focus-within { opacity: 1; }
.armsweep .views button { width: 28px; height: 28px; padding: 5px; border: 0; border-radius: 6px; background: #ffffff99;
  color: #1d2733; cursor: pointer; }
.armsweep.dark .views button { background: #222b35aa; color: #e6ebf1; }
.armsweep .views button:hover, .armsweep .views button:focus-visible { background: #ffffff; }
.armsweep.dark .views button:hover, .armsweep.dark .views button:focus-visible { background: #36424f; }
.armsweep .views button:focus-visible { outline: 2px solid #0b66c3; }
.armsweep.dark .views button:focus-visible { outline-color: #7cc0ff; }
.armsweep .views button[aria-pressed=true] { background: #1d5c93; color: #ffffff; }
.armsweep.dark .views button[aria-pressed=true] { background: #5ba3de; color: #10151d; }
.armsweep .views .all { display: none; }
@container (max-width: 27rem) { /* a phone: they come when they are asked for, and leave the robot in sight */
  .armsweep .views .all { display: block; }
  .armsweep .views:not(.open) button:not(.all, [aria-pressed=true]) { display: none; }
}
.armsweep .views svg { display: block; width: 100%; height: 100%; fill: none; stroke: currentColor; stroke-width: 1.4;
  stroke-linejoin: round; stroke-linecap: round; }
@media (pointer: coarse) { .armsweep .views button { width: 44px; height: 44px; padding: 12px; } }
`

const CAMERA = 'M2 4.500h3l1-2h4l1 2h3v8.500H2zM8 6a2.600 2.600 0 1 0 0 5.200A2.600 2.600 0 1 0 8 6'
const FILM = 'M1.500 4.500h9v7h-9zM10.500 7.200l4-2.200v6l-4-2.200'

export class ViewButtons {
  constructor(parent, choose, picture, film) {
    this.root = document.createElement('div')
    this.root.className = 'views'
    this.root.setAttribute('role', 'group')
    this.root.setAttribute('aria-label', 'Views')
    for (const [view, [words, path]] of Object.entries(DRAWN)) {
      const button = document.createElement('button')
      button.type = 'button'
      button.dataset.view = view
      button.title = words
      button.setAttribute('aria-label', words)
      button.tabIndex = -1 // their keys work everywhere; Tab goes on to what has none
      button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`
      button.addEventListener('click', () => choose(view))
      this.root.append(button)
    }
    this.picture = this.maker('Save picture', CAMERA, picture)
    this.picture.setAttribute('aria-haspopup', 'dialog')
    if (film) this.film = this.maker('', FILM, film)
    this.filming(false)
    const all = document.createElement('button')
    all.type = 'button'
    all.className = 'all'
    all.title = 'Views'
    all.setAttribute('aria-label', 'Views')
    all.setAttribute('aria-expanded', 'false')
    all.innerHTML = '<svg viewBox="0 0 16 16" aria-hidden="true"><path d="M1.5 8C4 4 6 3 8 3s4 1 6.500 5C12 12 10 13 8 13s-4-1-6.500-5M8 6a2 2 0 1 1 0 4 2 2 0 1 1 0-4"/></svg>'
    all.addEventListener('click', () => all.setAttribute('aria-expanded', String(this.root.classList.toggle('open'))))
    this.root.append(all)
    this.turntable(false)
    parent.append(this.root)
  }

  // A button that has no key: Tab comes to it.
  maker(words, path, act) {
    const button = document.createElement('button')
    button.type = 'button'
    button.title = words
    button.setAttribute('aria-label', words)
    button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`
    button.addEventListener('click', act)
    this.root.append(button)
    return button
  }

  filming(on) {
    if (!this.film) return
    this.film.setAttribute('aria-pressed', String(on))
    this.film.title = on ? 'End the film and save it' : 'Record a film of what is seen'
    this.film.setAttribute('aria-label', this.film.title)
  }

  turntable(on) {
    this.root.querySelector('[data-view=turntable]').setAttribute('aria-pressed', String(on))
  }

  dispose() {
    this.root.remove()
  }
}
