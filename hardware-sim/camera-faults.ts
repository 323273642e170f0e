import sharp from 'sharp';

/** What can be wrong with a camera. Picture faults change each picture, stream faults the way it is sent. */
export type CameraFault =
  | { readonly kind: 'frozen-bytes' }
  /** The same pixels, encoded so that the bytes differ. */
  | { readonly kind: 'frozen-pixels' }
  | { readonly kind: 'black' }
  | { readonly kind: 'exposure'; readonly gain: number }
  | { readonly kind: 'blurred'; readonly sigmaPx: number }
  | { readonly kind: 'wrong-size' }
  | { readonly kind: 'other-scene' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'png' }
  | { readonly kind: 'oversized'; readonly byteCount: number }
  /** A queue of this many pictures: each is sent that many pictures after it was taken. */
  | { readonly kind: 'stale'; readonly frameCount: number }
  /** The connection stays, nothing more is sent; new connections get an answer and no picture. */
  | { readonly kind: 'silent' }
  /** Every connection is cut, also new ones. */
  | { readonly kind: 'dropping' }
  /** New connections are taken and never answered. */
  | { readonly kind: 'mute' };

/** Bytes of one picture under a fault; faults of the stream leave it as it is. */
export async function faultyPicture(jpeg: Buffer, fault: CameraFault | null, pictureNumber: number): Promise<Buffer> {
  switch (fault?.kind) {
    case 'frozen-pixels':
      return commented(jpeg, `picture ${pictureNumber}`);
    case 'black':
      return changed(jpeg, 0.015, 2);
    case 'exposure':
      return changed(jpeg, fault.gain, 0);
    case 'blurred':
      return sharp(jpeg).blur(fault.sigmaPx).jpeg({ quality: 90 }).toBuffer();
    case 'wrong-size':
      return sharp(jpeg).resize(320, 240, { fit: 'fill' }).jpeg({ quality: 90 }).toBuffer();
    case 'other-scene':
      return office(jpeg);
    case 'cut':
      return jpeg.subarray(0, Math.floor(jpeg.length * 0.6));
    case 'damaged':
      return damaged(jpeg, pictureNumber);
    case 'empty':
      return Buffer.alloc(0);
    case 'png':
      return sharp(jpeg).png().toBuffer();
    case 'oversized':
      return Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(fault.byteCount), jpeg.subarray(-2)]);
    default:
      return jpeg;
  }
}

async function changed(jpeg: Buffer, gain: number, offset: number): Promise<Buffer> {
  return sharp(jpeg).linear(gain, offset).jpeg({ quality: 90 }).toBuffer();
}

/** A comment segment right after the start marker. */
function commented(jpeg: Buffer, text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe]), length, Buffer.from(text, 'latin1'), jpeg.subarray(2)]);
}

/** 200 bytes changed behind the headers, start and end kept: a cable that loses bits. */
function damaged(jpeg: Buffer, pictureNumber: number): Buffer {
  const copy = Buffer.from(jpeg);
  for (let i = 0; i < 200; i += 1) {
    const at = 1000 + ((i * 7919 + pictureNumber * 104_729) % Math.max(1, copy.length - 1002));
    // 0xff would begin a marker; anything else is wrong picture data.
    copy[at] = (i * 37 + pictureNumber) % 255;
  }
  return copy;
}

/** Another place: walls, window, desk, screen. */
async function office(jpeg: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(jpeg).metadata();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100" preserveAspectRatio="none">
    <rect width="100" height="100" fill="#c9c2b4"/><rect y="68" width="100" height="32" fill="#7a5b3c"/>
    <rect x="8" y="10" width="30" height="40" fill="#dbe9f4" stroke="#ffffff" stroke-width="2"/>
    <rect x="55" y="34" width="30" height="26" fill="#1b1d22"/><rect x="57" y="36" width="26" height="21" fill="#3c6fa8"/>
    <rect x="66" y="60" width="8" height="9" fill="#26282c"/><circle cx="22" cy="82" r="7" fill="#b04a3a"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer();
}
