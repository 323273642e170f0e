/** What the header of a JPEG says, without decoding it. Sizes in px. */
export type JpegHeader =
  | { readonly kind: 'jpeg'; readonly width: number; readonly height: number }
  | { readonly kind: 'unusable'; readonly detail: string };

/** Largest side that is decoded, px. A picture of 20000 x 20000 would take 1.2 GB; no camera of this product is above 4096. */
const sidePxMax = 4_096;

/** Reads the size from a JPEG's start-of-frame marker and checks that start and end markers are there, so that nothing absurd
 *  is handed to the decoder. Never throws. */
export function readJpegHeader(bytes: Buffer): JpegHeader {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return { kind: 'unusable', detail: 'no JPEG start marker' };
  if (!hasEndMarker(bytes)) return { kind: 'unusable', detail: 'no JPEG end marker: the picture is cut' };
  let offset = 2;
  while (offset + 9 < bytes.length) {
    if (bytes[offset] !== 0xff) return { kind: 'unusable', detail: `no marker at byte ${offset}` };
    const marker = bytes[offset + 1] ?? 0;
    if (marker === 0xff) {
      offset += 1;
      continue;
    }
    const isStartOfFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isStartOfFrame) {
      const height = bytes.readUInt16BE(offset + 5);
      const width = bytes.readUInt16BE(offset + 7);
      if (width < 64 || height < 64 || width > sidePxMax || height > sidePxMax) {
        return { kind: 'unusable', detail: `size ${width} x ${height} is outside 64 to ${sidePxMax}` };
      }
      return { kind: 'jpeg', width, height };
    }
    if (marker === 0xda) break;
    offset += 2 + bytes.readUInt16BE(offset + 2);
  }
  return { kind: 'unusable', detail: 'no start-of-frame marker' };
}

/** Cameras pad their pictures with a few zero bytes; the end marker must stand before them. */
function hasEndMarker(bytes: Buffer): boolean {
  let end = bytes.length;
  while (end > 2 && bytes[end - 1] === 0) end -= 1;
  return end >= 4 && bytes[end - 2] === 0xff && bytes[end - 1] === 0xd9;
}
