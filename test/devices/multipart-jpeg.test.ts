import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MultipartJpegReader, type PartEvent } from '../../src/devices/multipart-jpeg.ts';
import { jpegOf, partOf } from './mjpeg-bytes.ts';

const read = (bytes: Buffer, cuts: readonly number[] = [], partBytesMax = 1_000): PartEvent[] => {
  const reader = new MultipartJpegReader('frame', partBytesMax);
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
  return places.flatMap((place, index) => [...reader.push(bytes.subarray(place, places[index + 1] ?? bytes.length), index)]);
};
const shown = (events: readonly PartEvent[]): string[] =>
  events.map((event) => (event.kind === 'picture' ? event.jpeg.toString('latin1', 6, event.jpeg.length - 2) : event.cause));

describe('taking an MJPEG stream apart', () => {
  const withLength = (text: string): Buffer =>
    partOf(jpegOf(text), ['Content-Type: image/jpeg', `Content-Length: ${jpegOf(text).length}`]);
  const without = (text: string): Buffer => partOf(jpegOf(text), ['Content-Type: image/jpeg']);
  const end = Buffer.from('--frame');

  it('gives the same pictures however the network cuts the bytes, with and without lengths', () => {
    const bytes = Buffer.concat([withLength('one'), without('two'), withLength('three'), without('four'), end]);
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (cuts) => {
        expect(shown(read(bytes, cuts))).toEqual(['one', 'two', 'three', 'four']);
      }),
    );
  });

  it('never throws on noise, and holds no more than one part', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 }), (chunks) => {
        const reader = new MultipartJpegReader('frame', 1_000);
        for (const chunk of chunks) reader.push(Buffer.from(chunk), 0);
        expect(
          reader.push(Buffer.concat([Buffer.from('--frame\r\n\r\n\r\n'), withLength('after'), end]), 1).at(-1),
        ).toMatchObject({ kind: 'picture' });
      }),
    );
  });

  it('takes the boundary with or without its leading hyphens', () => {
    const reader = new MultipartJpegReader('--frame', 1_000);

    expect(shown(reader.push(withLength('one'), 0))).toEqual(['one']);
  });

  it('reads the time stamp of the camera as milliseconds', () => {
    const jpeg = jpegOf('one');
    const [event] = read(partOf(jpeg, [`Content-Length: ${jpeg.length}`, 'X-Timestamp: 1700000000.250']));

    expect(event).toMatchObject({ kind: 'picture', stampMs: 1_700_000_000_250 });
  });

  it('discards a picture without an end as cut, and reads the next one', () => {
    const cut = jpegOf('one').subarray(0, 7);

    expect(shown(read(Buffer.concat([partOf(cut, ['Content-Length: 7']), withLength('two')])))).toEqual(['cut', 'two']);
  });

  it('discards an empty part as cut', () => {
    expect(read(Buffer.concat([partOf(Buffer.alloc(0), ['Content-Length: 0']), withLength('two')]))[0]).toEqual({
      kind: 'discarded',
      cause: 'cut',
      byteCount: 0,
    });
  });

  it('discards another kind of picture as not-jpeg', () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

    expect(shown(read(Buffer.concat([partOf(png, ['Content-Length: 8']), withLength('two')])))).toEqual(['not-jpeg', 'two']);
  });

  it('throws away a part over the limit without storing it, and reads the next one', () => {
    const large = jpegOf('x'.repeat(5_000));
    const counted = Buffer.concat([partOf(large, [`Content-Length: ${large.length}`]), withLength('two')]);
    const delimited = Buffer.concat([partOf(large, []), without('two'), end]);

    expect(shown(read(counted))).toEqual(['too-large', 'two']);
    expect(shown(read(delimited, [1_000, 2_000, 3_000, 4_000]))).toEqual(['too-large', 'two']);
  });

  it('reports a part that was begun when the stream ended as cut', () => {
    const reader = new MultipartJpegReader('frame', 1_000);
    reader.push(withLength('one').subarray(0, -5), 0);

    expect(reader.end()).toMatchObject([{ kind: 'discarded', cause: 'cut' }]);
  });
});
