import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { countMotionBursts } from '../../src/core/judging/motion-bursts.ts';
import { isAtRest } from '../../src/core/judging/rest-watch.ts';
import { MotionMeter, roughMotionArea } from '../../src/vision/motion-meter.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'vision', 'clip-2');
const clip = JSON.parse(readFileSync(join(folder, 'labels.json'), 'utf8')) as {
  fps: number;
  settle_frame: number;
  resolution: [number, number];
  tray: { centre_px: [number, number]; radius_px: number };
};

function meter(): MotionMeter {
  return new MotionMeter(roughMotionArea(clip.resolution, clip.tray.centre_px, clip.tray.radius_px * 1.05));
}

const pictures = readdirSync(folder)
  .filter((name) => name.endsWith('.jpg'))
  .sort()
  .map((name) => readFileSync(join(folder, name)));

describe('motion in a clip with two tumbles', () => {
  const measuring = meter();
  const looks = pictures.map((jpeg, index) => measuring.measure(index + 1, (index * 1_000) / clip.fps, jpeg));

  it('counts two bursts', () => {
    expect(countMotionBursts(looks.slice(1), 0)).toBe(2);
  });

  it('sees rest only after the dice came to rest', () => {
    const settled = (clip.settle_frame * 1_000) / clip.fps;
    const firstRest = looks.findIndex((look, index) => look.capturedMonoMs > 700 && isAtRest(looks.slice(22, index + 1), 500));

    expect(firstRest).toBeGreaterThan(-1);
    expect(looks[firstRest]?.capturedMonoMs).toBeGreaterThanOrEqual(settled + 450);
  });
});

describe('pictures that cannot be used', () => {
  it('calls the same picture frozen', () => {
    const measuring = meter();
    const [first = Buffer.alloc(0)] = pictures;
    measuring.measure(1, 0, first);

    expect(measuring.measure(2, 33, first).defect).toBe('frozen');
  });

  it('names undecodable and wrongly sized pictures', () => {
    const measuring = meter();
    const other = readFileSync(join(folder, '..', 'rig-d', 'rig-d_018.jpg'));

    expect(measuring.measure(1, 0, Buffer.from('no picture')).defect).toBe('undecodable');
    expect(measuring.measure(2, 33, other).defect).toBe('wrong-size');
  });
});

describe('a lamp that fails between two pictures', () => {
  const darkened = (jpeg: Buffer | undefined): Promise<Buffer> => sharp(jpeg).linear(0.5).jpeg({ quality: 92 }).toBuffer();
  const [resting, rolling] = [pictures[0], pictures[10]];

  it('is no motion of the dice', async () => {
    const measuring = meter();
    measuring.measure(1, 0, resting ?? Buffer.alloc(0));
    expect(measuring.measure(2, 33, await darkened(resting)).changedShare).toBeLessThan(0.005);
  });

  it('does not hide their motion', async () => {
    const measuring = meter();
    measuring.measure(1, 0, resting ?? Buffer.alloc(0));
    expect(measuring.measure(2, 33, await darkened(rolling)).changedShare).toBeGreaterThan(0.05);
  });
});
