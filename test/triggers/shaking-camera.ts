import { type SeededRandom, seededRandom } from '../../hardware-sim/seeded-random.ts';
import { diceApart, tripletOf } from './laid-dice.ts';
import { gaussianBlur, inTurn, type PixelChange, swungBy } from './picture-changes.ts';
import type { Trigger } from './trigger.ts';
import { WatchedTray } from './watched-tray.ts';

/** Pictures a second; a network camera's usual rate, at which a reading waits longest for its pictures. */
const frameRate = 15;
/** How far the picture swings either way, px; and how long, ms: until calm, or never calm for the half minute of the report. */
const swingPx = 8;
const shakenMs = 1_500;
const neverCalmMs = 30_000;
/** The tray settles again within this time after the picture is calm, ms: the settle window of 1 s, and a picture or two. */
const restAfterCalmMsMax = 1_600;
/** Every so many pictures of a shaking camera are read one by one too, which the table itself never does. */
const readEvery = 3;

/** DICE-08: the whole picture jitters by up to 8 px and blurs, for 1.5 s after the shake or for 30 s. Each round: rest watch, then reading. */
export const shakingCamera: Trigger = {
  id: 'DICE-08',
  title: 'the camera shakes after the motor stopped',
  rigs: 'all-dice',
  fullCount: 14,
  sampleCount: 2,
  unit: 'throws',
  run: async (bench) => {
    const restedMs: number[] = [];
    const early: string[] = [];
    const guessed: string[] = [];
    for (let i = 0; i < bench.count; i += 1) {
      // One throw in six is never calm, which takes twenty times as many pictures.
      const isNeverCalm = i % 6 === 1;
      const isShort = isNeverCalm && bench.count < 6;
      const untilMs = isNeverCalm ? (isShort ? neverCalmMs / 10 : neverCalmMs) : shakenMs;
      const rig = bench.rigOf(i);
      const values = tripletOf((i * 101) % 216);
      const random = seededRandom(i * 59 + 4);
      rig.camera.show(diceApart(values, random, rig.tray));
      const tray = new WatchedTray(rig, frameRate, isNeverCalm ? untilMs : shakenMs + restAfterCalmMsMax);
      let shownCount = 0;
      const swing = swings(random);
      const { rest, restMs, reading } = await tray.watch(async (sinceMs) => {
        const isShaking = sinceMs < untilMs;
        const jpeg = await rig.jpeg(isShaking ? swing() : null);
        shownCount += 1;
        if (isShaking && shownCount % readEvery === 0)
          bench.read(rig, 'single pictures of a shaking camera', i * 1_000 + shownCount, jpeg, values);
        return jpeg;
      });
      tray.close();
      const outcome = {
        values: reading?.values ?? null,
        cause: reading?.cause ?? (rest.kind === 'restFailed' ? rest.cause : 'not read'),
      };
      const name = isNeverCalm ? `throws never calm for ${untilMs / 1000} s` : `throws calm after ${shakenMs / 1000} s`;
      bench.tally(rig, name, i, outcome, values);
      if (isNeverCalm) {
        if (rest.kind === 'diceRested' || reading !== null) guessed.push(`throw ${i} after ${restMs} ms`);
      } else {
        restedMs.push(restMs);
        if (rest.kind === 'diceRested' && restMs < shakenMs) early.push(`throw ${i} after ${restMs} ms`);
      }
    }
    const calm = bench.classes.get(`throws calm after ${shakenMs / 1000} s`);
    bench.claim(
      'no rest while the camera shakes',
      early.length === 0,
      early.join(', ') || `rest after ${Math.min(...restedMs).toFixed(0)} ms and more`,
    );
    bench.claim(
      'no reading when it is never calm',
      guessed.length === 0,
      guessed.join(', ') || 'every such throw ended without one',
    );
    bench.claim(
      'calm again, the throw is read',
      (calm?.right ?? 0) >= 0.9 * restedMs.length,
      `${calm?.right} of ${restedMs.length}`,
    );
  },
};

/** The picture of a camera that swings on its arm: from where it was to another place, and softer. */
function swings(random: SeededRandom): () => PixelChange {
  const place = (): readonly [number, number] => [random.between(-swingPx, swingPx), random.between(-swingPx, swingPx)];
  let at = place();
  return () => {
    const from = at;
    at = place();
    // The exposure covers a part of the way only.
    const seen: readonly [number, number] = [from[0] + 0.3 * (at[0] - from[0]), from[1] + 0.3 * (at[1] - from[1])];
    return inTurn(swungBy(from, seen), gaussianBlur(random.between(0.4, 1.5)));
  };
}
