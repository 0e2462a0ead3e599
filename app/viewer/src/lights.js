// What lights the scene, and the page's two themes: a key that stands still in the world, whose shadow lies on the floor,
// and a fill that goes with the eye, so that nothing that one looks at is dark.
import { AmbientLight, DirectionalLight, HemisphereLight, Vector3 } from 'three'
import { LIGHT } from './shadow.js'

export const THEMES = {
  light: {
    background: 0xf1f4f8, line: 0x5b6b7e, floor: 0xe2e8ef, shade: 0x3c4858, darkness: 0.4,
    sky: 0xffffff, soil: 0xb9c2cc, ambient: 0.3, hemisphere: 1.15, key: 1.45, fill: 0.75,
  },
  dark: {
    background: 0x14191f, line: 0x93a4b8, floor: 0x252d37, shade: 0x04070a, darkness: 0.7,
    sky: 0xdfe9f5, soil: 0x4a525c, ambient: 0.3, hemisphere: 0.95, key: 1.45, fill: 0.75,
  },
}

export class Lights {
  constructor(world) {
    this.ambient = new AmbientLight()
    this.hemisphere = new HemisphereLight()
    this.hemisphere.position.set(0, 0, 1)
    this.key = new DirectionalLight()
    this.key.position.copy(LIGHT)
    this.fill = new DirectionalLight()
    world.add(this.ambient, this.hemisphere, this.key, this.key.target, this.fill, this.fill.target)
    this.hemisphere.updateMatrixWorld()
    this.key.updateMatrixWorld()
  }

  setTheme({ ambient, hemisphere, key, fill, sky, soil }) {
    this.ambient.intensity = ambient
    this.hemisphere.intensity = hemisphere
    this.hemisphere.color.set(sky)
    this.hemisphere.groundColor.set(soil)
    this.key.intensity = key
    this.fill.intensity = fill
  }

  // From over the shoulder of whoever looks at a target.
  follow(camera, target) {
    const side = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0)
    this.fill.position.copy(camera.position).sub(target).normalize().addScaledVector(side, 0.5)
    this.fill.position.z += 0.4
    this.fill.updateMatrixWorld()
  }
}
