import sharp from 'sharp';
import { type CameraFault, faultyPicture } from '../../hardware-sim/camera-faults.ts';
import type { SeededRandom } from '../../hardware-sim/seeded-random.ts';

/** A picture as it should not be, with what was done to it. */
export interface HostilePicture {
  readonly what: string;
  readonly jpeg: Buffer;
}

/** Camera faults that leave the file of a picture sound or nearly so (failures.md CAM-04). */
const cameraFaults: readonly (readonly [string, CameraFault])[] = [
  ['cut at 60 %', { kind: 'cut' }],
  ['200 bytes changed', { kind: 'damaged' }],
  ['black', { kind: 'black' }],
  ['at 20 % exposure', { kind: 'exposure', gain: 0.2 }],
  ['at 400 % exposure', { kind: 'exposure', gain: 4 }],
  ['blurred by 1 px', { kind: 'blurred', sigmaPx: 1 }],
  ['blurred by 6 px', { kind: 'blurred', sigmaPx: 6 }],
  ['of the wrong size', { kind: 'wrong-size' }],
  ['of another place', { kind: 'other-scene' }],
  ['a PNG', { kind: 'png' }],
  ['with 50,000 zeros at its end', { kind: 'oversized', byteCount: 50_000 }],
];

/** One set of everything that a broken camera, cable or network may send instead of this picture (failures.md CAM-04, CAM-09). */
export async function hostilePictures(jpeg: Buffer, random: SeededRandom): Promise<HostilePicture[]> {
  const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => random.index(256)));
  const markers = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);
  const faulty = cameraFaults.map(async ([what, fault]) => ({
    what,
    jpeg: await faultyPicture(jpeg, fault, random.index(1_000)),
  }));
  return [
    { what: 'empty', jpeg: Buffer.alloc(0) },
    { what: 'random bytes', jpeg: bytes(20_000) },
    {
      what: 'random bytes between the markers',
      jpeg: Buffer.concat([markers.subarray(0, 2), bytes(20_000), markers.subarray(2)]),
    },
    { what: 'markers only', jpeg: markers },
    { what: 'cut anywhere', jpeg: jpeg.subarray(0, random.index(jpeg.length)) },
    {
      what: 'cut anywhere, with an end marker',
      jpeg: Buffer.concat([jpeg.subarray(0, 700 + random.index(jpeg.length - 700)), markers.subarray(2)]),
    },
    { what: 'said to be 20,000 x 20,000', jpeg: resizedHeader(jpeg, 20_000) },
    {
      what: '1 x 1',
      jpeg: await sharp({ create: { width: 1, height: 1, channels: 3, background: '#808080' } })
        .jpeg()
        .toBuffer(),
    },
    {
      what: '65,000 bytes of comment',
      jpeg: Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe, 0xfd, 0xea]), Buffer.alloc(65_000), jpeg.subarray(2)]),
    },
    ...(await Promise.all(faulty)),
  ];
}

/** The same bytes with another width and height in the frame header. */
function resizedHeader(jpeg: Buffer, side: number): Buffer {
  const changed = Buffer.from(jpeg);
  for (let at = 2; at + 9 < changed.length && changed[at] === 0xff; at += 2 + changed.readUInt16BE(at + 2)) {
    const marker = changed[at + 1] ?? 0;
    if (marker < 0xc0 || marker > 0xc2) continue;
    changed.writeUInt16BE(side, at + 5);
    changed.writeUInt16BE(side, at + 7);
    return changed;
  }
  throw new Error('the picture has no frame header');
}
