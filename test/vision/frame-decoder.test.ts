import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FrameDecoder } from '../../src/vision/frame-decoder.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'vision', 'rig-d');
const jpegOf = (name: string): Buffer => readFileSync(join(folder, name));

describe('the decoder of one camera', () => {
  it('gives the same picture again for the same bytes, wherever they lie', () => {
    const decoder = new FrameDecoder();
    const first = decoder.decode(jpegOf('rig-d_018.jpg'));

    expect(decoder.decode(jpegOf('rig-d_018.jpg'))).toBe(first);
    decoder.close();
  });

  it('decodes anew when a single byte differs', () => {
    const decoder = new FrameDecoder();
    const changed = jpegOf('rig-d_018.jpg');
    changed.writeUInt8(changed.readUInt8(20_000) ^ 1, 20_000);
    const first = decoder.decode(jpegOf('rig-d_018.jpg'));

    expect(decoder.decode(changed)).not.toBe(first);
    decoder.close();
  });

  it('says again why bytes are no picture', () => {
    const decoder = new FrameDecoder();
    const broken = jpegOf('rig-d_018.jpg').subarray(0, 9_000);

    expect(decoder.decode(broken).kind).toBe('unusable');
    expect(decoder.decode(broken).kind).toBe('unusable');
    decoder.close();
  });

  it('decodes anew after it was closed', () => {
    const decoder = new FrameDecoder();
    decoder.decode(jpegOf('rig-d_018.jpg'));
    decoder.close();
    const again = decoder.decode(jpegOf('rig-d_018.jpg'));

    expect(again).toMatchObject({ kind: 'picture', mat: { cols: 640, rows: 480 } });
    decoder.close();
  });
});
