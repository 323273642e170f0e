import { describe, expect, it } from 'vitest';
import type { BodyPlace, MotionSample } from '../../../src/core/judging/motion-sample.ts';
import type { DieReading, PictureReading } from '../../../src/core/judging/reading.ts';
import { isAtRest } from '../../../src/core/judging/rest-watch.ts';
import { isDecided, judgeThrow } from '../../../src/core/judging/throw-consensus.ts';

const places: readonly BodyPlace[] = [
  { centrePx: [400, 300], angleDeg: 12 },
  { centrePx: [600, 320], angleDeg: 89.6 },
  { centrePx: [500, 500], angleDeg: 45 },
];

function still(capturedMonoMs: number, bodies = places, changedShare = 0.001): MotionSample {
  return { capturedMonoMs, changedShare, defect: null, bodies };
}

describe('rest', () => {
  it('is proven when nothing changed over the whole settle window', () => {
    expect(
      isAtRest(
        [0, 250, 500, 750, 1_000].map((at) => still(at)),
        1_000,
      ),
    ).toBe(true);
  });

  it('is not proven by a window that is too short, or by two pictures', () => {
    expect(
      isAtRest(
        [0, 250, 500, 750].map((at) => still(at)),
        1_000,
      ),
    ).toBe(false);
    expect(isAtRest([still(0), still(1_000)], 1_000)).toBe(false);
  });

  it('is not proven while a die creeps or turns in place, however slowly', () => {
    const creeping = [0, 250, 500, 750, 1_000].map((at) =>
      still(
        at,
        places.map((place) => ({ ...place, centrePx: [place.centrePx[0] + at / 300, place.centrePx[1]] as const })),
      ),
    );
    expect(isAtRest(creeping, 1_000)).toBe(false);
    const turning = [0, 250, 500, 750, 1_000].map((at) =>
      still(
        at,
        places.map((place) => ({ ...place, angleDeg: (place.angleDeg + at / 250) % 90 })),
      ),
    );
    expect(isAtRest(turning, 1_000)).toBe(false);
  });

  it('takes 89.6 and 0.1 degrees for the same angle of a square', () => {
    const jittered = places.map((place) => (place.angleDeg === 89.6 ? { ...place, angleDeg: 0.1 } : place));
    expect(isAtRest([still(0), still(400), still(700, jittered), still(1_000)], 1_000)).toBe(true);
  });

  it('is not proven by a window with a picture that shows nothing', () => {
    expect(isAtRest([still(0), { ...still(400), defect: 'black' }, still(700), still(1_000)], 1_000)).toBe(false);
  });
});

function die(value: 1 | 2 | 3 | 4 | 5 | 6, place: BodyPlace): DieReading {
  return { value, ...place, quadPx: [], confidence: 0.9, votes: { geometric: value, appearance: value }, tiltDeg: 0 };
}

const good: PictureReading = {
  verdict: 'accepted',
  values: [1, 4, 6],
  cause: null,
  dice: places.map((place, index) => die(([1, 4, 6] as const)[index] ?? 1, place)),
};
const other: PictureReading = { ...good, values: [1, 5, 6] };
const glare: PictureReading = { verdict: 'refused', values: null, cause: 'glare', dice: [] };

describe('consensus over pictures', () => {
  it('accepts three pictures that agree', () => {
    expect(judgeThrow([good, good, good], [], 'c1')).toMatchObject({ verdict: 'accepted', values: [1, 4, 6], agreeingCount: 3 });
    expect(isDecided([good, good])).toBe(false);
    expect(isDecided([good, good, good])).toBe(true);
  });

  it('is not swayed by a single refused picture, and never lets one picture decide', () => {
    expect(judgeThrow([good, glare, good, good], [], 'c1')).toMatchObject({
      verdict: 'accepted',
      values: [1, 4, 6],
      pictureCount: 4,
    });
    expect(judgeThrow([good, glare, glare, glare, glare], [], 'c1')).toMatchObject({
      verdict: 'refused',
      cause: 'glare',
      agreeingCount: 4,
    });
  });

  it('refuses the throw when two pictures give different values, or the dice lie elsewhere', () => {
    expect(judgeThrow([good, good, good, other], [], 'c1')).toMatchObject({
      verdict: 'refused',
      cause: 'readers-disagree',
      values: null,
    });
    const shifted: PictureReading = {
      ...good,
      dice: good.dice.map((seen) => ({ ...seen, centrePx: [seen.centrePx[0] + 9, seen.centrePx[1]] as const })),
    };
    expect(judgeThrow([good, good, shifted], [], 'c1')).toMatchObject({ verdict: 'refused', cause: 'readers-disagree' });
  });

  it('gives up once too few pictures are left to agree', () => {
    expect(isDecided([glare, glare, glare])).toBe(false);
    expect(isDecided([glare, glare, glare, glare])).toBe(true);
  });
});
