import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProfile } from '../../calibration/profile.ts';
import { NoisyPictures } from '../../hardware-sim/noisy-pictures.ts';
import { isAtRest } from '../../src/core/judging/rest-watch.ts';
import { MotionMeter, motionAreaOf } from '../../src/vision/motion-meter.ts';
import { openRig } from '../../src/vision/rig.ts';

const fixtures = join(import.meta.dirname, '..', 'fixtures', 'vision');

describe('dice that lie still under sensor noise', () => {
  it.each([
    ['rig-a', 'rig-a_013.jpg'],
    ['rig-a', 'rig-a_014.jpg'],
    ['rig-d', 'rig-d_026.jpg'],
    ['rig-d', 'rig-d_033.jpg'],
  ])('rest from the first window on (%s, %s)', async (rigName, file) => {
    const rig = openRig(readProfile(join(fixtures, rigName, 'calibration.json')));
    const meter = new MotionMeter(motionAreaOf(rig.resolution, rig.view, rig.scene));
    const pictures = new NoisyPictures(1);
    const looks = [];
    for (let index = 0; index < 8; index += 1) {
      looks.push(meter.measure(index + 1, index * 66, await pictures.jpeg(join(fixtures, rigName, file), 1.7)));
    }

    expect(isAtRest(looks, 400)).toBe(true);
  });
});
