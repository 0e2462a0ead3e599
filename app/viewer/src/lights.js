// What lights the scene, and the page's two themes: a key that stands still in the world, whose shadow lies on the floor,
// and a sky that leans towards the eye, so that nothing that one looks at is dark.
import { AmbientLight, DirectionalLight, HemisphereLight } from 'three'
import { LIGHT } from './shadow.js'

export const THEMES = {
  light: {
    background: 0xf1f4f8, line: 0x5b6b7e, floor: 0xe2e8ef, shade: 0x3c4858, darkness: 0.4,
    sky: 0xffffff, soil: 0xb9c2cc, ambient: 0.3, hemisphere: 1.55, key: 1.6,
  },
  dark: {
    background: 0x14191f, line: 0x93a4b8, floor: 0x252d37, shade: 0x04070a, darkness: 0.7,
    sky: 0xdfe9f5, soil: 0x4a525c, ambient: 0.3, hemisphere: 1.35, key: 1.6,
  },
}

export class Lights {
  constructor(world) {
    this.ambient = new AmbientLight()
    this.hemisphere = new HemisphereLight()
    this.key = new DirectionalLight()
    this.key.position.copy(LIGHT)
    world.add(this.ambient, this.hemisphere, this.key, this.key.target)
    this.key.updateMatrixWorld()
  }

  setTheme({ ambient, hemisphere, key, sky, soil }) {
    this.ambient.intensity = ambient
    this.hemisphere.intensity = hemisphere
    this.hemisphere.color.set(sky)
    this.hemisphere.groundColor.set(soil)
    this.key.intensity = key
  }

  // From above and from whoever looks at a target.
  follow(camera, target) {
    this.hemisphere.position.copy(camera.position).sub(target).normalize()
    this.hemisphere.position.z += 0.8
    this.hemisphere.updateMatrixWorld()
  }
}
