// One message of transforms: 16 bytes of header (as HEADER in viewer.py), then twelve floats a mesh.
export class Frame {
  constructor(buffer) {
    const header = new DataView(buffer, 0, 16)
    this.version = header.getUint32(0, true)
    this.number = header.getUint32(4, true)
    this.sent = header.getFloat64(8, true)
    this.transforms = new Float32Array(buffer, 16)
  }
}
