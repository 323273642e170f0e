import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readProfile } from '../../calibration/profile.ts';
import { readJpeg } from '../../src/vision/read-picture.ts';
import { openRig } from '../../src/vision/rig.ts';
import { paintedThrow, warmUp } from '../../src/vision/warm-up.ts';

const calibration = (rig: string) =>
  readProfile(fileURLToPath(new URL(`../fixtures/vision/${rig}/calibration.json`, import.meta.url)));

test.each(['rig-a', 'rig-d'])('both readers tell the 2, 5 and 6 of the painted throw that warms %s up', (name) => {
  const rig = openRig(calibration(name));
  const { dice } = readJpeg(rig, paintedThrow(rig, 0.3)).reading;
  expect(dice.map((die) => die.votes.geometric).sort()).toEqual([2, 5, 6]);
  expect(dice.map((die) => die.votes.appearance).sort()).toEqual([2, 5, 6]);
  rig.view.referenceMat.release();
});

test('a rig that was warmed up reads the empty tray as before', () => {
  const rig = openRig(calibration('rig-a'));
  const empty = Buffer.from(calibration('rig-a').emptyPicture.jpegBase64, 'base64');
  const cold = readJpeg(rig, empty);
  warmUp(rig);
  expect(readJpeg(rig, empty)).toEqual(cold);
  expect(cold.reading.cause).toBe('too-few-dice');
  rig.view.referenceMat.release();
});
