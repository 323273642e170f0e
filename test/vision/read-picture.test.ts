import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProfile } from '../../calibration/profile.ts';
import { loadOpenCv } from '../../src/vision/opencv.ts';
import { readJpeg } from '../../src/vision/read-picture.ts';
import { openRig, type Rig } from '../../src/vision/rig.ts';

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'vision');

function picture(file: string): Buffer {
  return readFileSync(join(fixtures, file.slice(0, 5), file));
}

describe('reading pictures of the rendered rigs', () => {
  const rigs = new Map<string, Rig>();

  beforeAll(() => {
    for (const name of ['rig-a', 'rig-d']) rigs.set(name, openRig(readProfile(join(fixtures, name, 'calibration.json'))));
  });

  afterAll(() => {
    for (const rig of rigs.values()) rig.view.referenceMat.release();
  });

  function read(file: string, jpeg = picture(file)) {
    return readJpeg(rigs.get(file.slice(0, 5)) as Rig, jpeg).reading;
  }

  it.each([
    ['rig-a_013.jpg', [2, 2, 4]],
    ['rig-a_014.jpg', [3, 5, 6]],
    ['rig-a_027.jpg', [3, 4, 4]],
    ['rig-d_018.jpg', [3, 5, 6]],
    ['rig-d_019.jpg', [1, 5, 6]],
  ])('accepts the flat dice of %s with their values', (file, values) => {
    expect(read(file)).toMatchObject({ verdict: 'accepted', values, cause: null });
  });

  it.each([
    ['rig-a_015.jpg', 'a die that leans on the wall'],
    ['rig-a_016.jpg', 'a die on another'],
    ['rig-a_018.jpg', 'a hand'],
    ['rig-a_021.jpg', 'dice that still roll'],
    ['rig-d_015.jpg', 'a die that leans on the wall'],
    ['rig-d_016.jpg', 'a die on another'],
    ['rig-d_024.jpg', 'a die that leans in dark light'],
    ['rig-d_029.jpg', 'a die hidden below another'],
    ['rig-d_040.jpg', 'one die that still moves'],
    ['rig-d_048.jpg', 'a die that leans by 23 degrees'],
    ['rig-d_060.jpg', 'a die that leans by 11 degrees'],
  ])('refuses %s: %s', (file) => {
    expect(read(file)).toMatchObject({ verdict: 'refused', values: null });
  });

  it('gives every die its place, its outline and both votes', () => {
    const { dice } = read('rig-d_018.jpg');

    expect(dice).toHaveLength(3);
    for (const die of dice) {
      expect(die.votes.geometric).toBe(die.value);
      expect(die.votes.appearance).toBe(die.value);
      expect(die.quadPx).toHaveLength(4);
      expect(die.confidence).toBeGreaterThan(0.2);
    }
  });

  it('never names a wrong value when exposure and colour of the lamps drift', () => {
    const cv = loadOpenCv();
    const outcomes: string[] = [];
    for (const [file, values] of [
      ['rig-a_014.jpg', '3,5,6'],
      ['rig-d_019.jpg', '1,5,6'],
    ] as const) {
      const mat = cv.imdecode(picture(file), cv.IMREAD_COLOR);
      const original = mat.getData();
      for (const [blue, green, red] of [
        [0.2, 0.2, 0.2],
        [0.35, 0.35, 0.35],
        [0.7, 0.7, 0.7],
        [1.4, 1.4, 1.4],
        [2.8, 2.8, 2.8],
        [4, 4, 4],
        [0.6, 0.85, 1.2],
        [1.3, 1, 0.7],
      ] as const) {
        const gains = [blue, green, red];
        const changed = Buffer.from(original.map((value, i) => Math.min(255, Math.round(value * (gains[i % 3] ?? 1)))));
        const copy = new cv.Mat(changed, mat.rows, mat.cols, cv.CV_8UC3);
        const { verdict, values: read_ } = read(file, cv.imencode('.jpg', copy, [cv.IMWRITE_JPEG_QUALITY, 92]));
        copy.release();
        outcomes.push(verdict === 'refused' ? 'refused' : read_?.join() === values ? 'right' : `wrong at ${gains.join()}`);
      }
      mat.release();
    }

    expect(outcomes.filter((outcome) => outcome.startsWith('wrong'))).toEqual([]);
    expect(outcomes.filter((outcome) => outcome === 'right').length).toBeGreaterThan(3);
  });

  it('refuses pictures that are blurred beyond the calibration', () => {
    const cv = loadOpenCv();
    const mat = cv.imdecode(picture('rig-a_013.jpg'), cv.IMREAD_COLOR);
    const small = mat.resize(180, 320, 0, 0, cv.INTER_AREA);
    const soft = small.resize(720, 1280, 0, 0, cv.INTER_LINEAR);
    const reading = read('rig-a_013.jpg', cv.imencode('.jpg', soft));
    for (const used of [mat, small, soft]) used.release();

    expect(reading).toMatchObject({ verdict: 'refused', values: null });
  });

  it.each([
    ['an empty file', Buffer.alloc(0)],
    ['a PNG', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')],
    ['random bytes', Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 7_919) % 251))],
  ])('refuses %s as a bad frame', (_, jpeg) => {
    expect(read('rig-a_013.jpg', jpeg)).toMatchObject({ verdict: 'refused', cause: 'bad-frame' });
  });

  it('refuses a cut picture, one of another size and one that claims 20000 x 20000', () => {
    const whole = picture('rig-a_013.jpg');
    const huge = Buffer.from(picture('rig-a_013.jpg'));
    const frame = huge.indexOf(Buffer.from([0xff, 0xc0]));
    huge.writeUInt16BE(20_000, frame + 5);
    huge.writeUInt16BE(20_000, frame + 7);

    expect(read('rig-a_013.jpg', whole.subarray(0, Math.floor(whole.length * 0.6)))).toMatchObject({ cause: 'bad-frame' });
    expect(read('rig-a_013.jpg', picture('rig-d_018.jpg'))).toMatchObject({ cause: 'scene-changed' });
    expect(read('rig-a_013.jpg', huge)).toMatchObject({ cause: 'bad-frame' });
  });

  it('refuses or reads rightly when 200 bytes in the middle are changed', () => {
    const damaged = Buffer.from(picture('rig-d_019.jpg'));
    for (let k = 0; k < 200; k += 1) damaged[Math.floor(damaged.length * 0.3) + k * 37] = (k * 91) % 250;
    const reading = read('rig-d_019.jpg', damaged);

    expect(reading.verdict === 'refused' || reading.values.join() === '1,5,6').toBe(true);
  });
});
