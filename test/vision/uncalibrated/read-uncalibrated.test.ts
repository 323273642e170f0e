import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { PictureReading, ThrowReading } from '../../../src/core/judging/reading.ts';
import { readUncalibrated } from '../../../src/vision/uncalibrated/read-uncalibrated.ts';
import type { UncalibratedReading } from '../../../src/vision/uncalibrated/uncalibrated-reading.ts';
import { type DrawnDie, drawnPicture, facePips } from './drawn-dice.ts';

const photographs = join(import.meta.dirname, '..', '..', 'fixtures', 'vision', 'photographs');

/** Three dice well apart, turned by 10, 40 and 75 degrees. */
function threeDice(values: readonly [number, number, number], look: Partial<DrawnDie> = {}): DrawnDie[] {
  const places = [
    { x: 150, y: 150, angleDeg: 10 },
    { x: 400, y: 180, angleDeg: 40 },
    { x: 260, y: 350, angleDeg: 75 },
  ];
  return places.map((place, index) => ({ ...place, edgePx: 80, pips: facePips[values[index] ?? 1] ?? [], ...look }));
}

function without(dice: readonly DrawnDie[], dieIndex: number, pipIndex: number): DrawnDie[] {
  return dice.map((die, index) => (index === dieIndex ? { ...die, pips: die.pips.filter((_, pip) => pip !== pipIndex) } : die));
}

describe('reading photographs of three dice without calibration', () => {
  it.each([
    ['nell-20191208_112847.jpg', [1, 3, 5]],
    ['nell-20191209_095625.jpg', [2, 5, 6]],
    ['damian-52.jpg', [1, 2, 3]],
  ])('reads %s', (file, values) => {
    expect(readUncalibrated(readFileSync(join(photographs, file)))).toMatchObject({
      isCalibrated: false,
      seenValues: values,
      refusedFor: null,
    });
  });

  it.each([
    ['damian-23.jpg', 'five dice'],
    ['craps-20241005231450_0114_1.jpg', 'a single die'],
    ['matteo-t-five_24.jpg', 'dice that show their sides'],
  ])('refuses %s: %s', (file) => {
    const reading = readUncalibrated(readFileSync(join(photographs, file)));
    expect(reading.seenValues).toBeNull();
    expect(reading.refusedFor).not.toBeNull();
  });

  it('refuses what is no picture', () => {
    expect(readUncalibrated(Buffer.from('no picture'))).toMatchObject({ seenValues: null, refusedFor: 'bad-frame' });
  });
});

describe('reading drawn dice without calibration', () => {
  it.each([
    ['black on white', {}, 90],
    ['white on black', { body: 25, ink: 220 }, 120],
    ['white on grey, as bright as the ground is dark', { body: 130, ink: 240 }, 60],
    ['small', { edgePx: 40 }, 90],
    ['large', { edgePx: 110 }, 90],
  ])('reads dice that are %s', (_, look, ground) => {
    expect(readUncalibrated(drawnPicture(threeDice([1, 2, 3], look), ground)).seenValues).toEqual([1, 2, 3]);
    expect(readUncalibrated(drawnPicture(threeDice([6, 5, 4], look), ground)).seenValues).toEqual([4, 5, 6]);
  });

  it.each([0, 1, 2, 4])('refuses %i dice', (count) => {
    const dice = [...threeDice([2, 4, 6]), { x: 520, y: 380, angleDeg: 20, edgePx: 80, pips: facePips[3] ?? [] }];
    expect(readUncalibrated(drawnPicture(dice.slice(0, count))).seenValues).toBeNull();
  });

  it('refuses a fourth die on which no pip can be seen', () => {
    const blank = { x: 520, y: 380, angleDeg: 20, edgePx: 80, pips: [] };
    expect(readUncalibrated(drawnPicture([...threeDice([2, 4, 6]), blank])).seenValues).toBeNull();
  });

  it.each([
    [4, 0],
    [5, 0],
    [6, 0],
    [6, 1],
  ] as const)('refuses a %i that lacks its pip number %i, which leaves no face', (value, pipIndex) => {
    expect(readUncalibrated(drawnPicture(without(threeDice([value, 2, 3]), 0, pipIndex))).seenValues).toBeNull();
  });

  it.each([
    [-1, 0],
    [1, -1],
  ] as const)('refuses a 2 with another pip at column %i, row %i', (column, row) => {
    const dice = threeDice([2, 3, 5]).map((die, index) =>
      index === 0 ? { ...die, pips: [...die.pips, [column, row] as const] } : die,
    );
    expect(readUncalibrated(drawnPicture(dice)).seenValues).toBeNull();
  });

  it('gives each die its place, outline and angle', () => {
    const { seenDice } = readUncalibrated(drawnPicture(threeDice([1, 5, 6])));
    const five = seenDice.find((die) => die.value === 5);
    expect(five?.centrePx[0]).toBeCloseTo(400, -1);
    expect(five?.centrePx[1]).toBeCloseTo(180, -1);
    expect(Math.abs((five?.angleDeg ?? 0) - 40)).toBeLessThan(4);
    expect(five?.quadPx).toHaveLength(4);
  });
});

it('has an answer that fits nowhere where a reading for play is taken', () => {
  expectTypeOf<UncalibratedReading>().not.toExtend<PictureReading>();
  expectTypeOf<UncalibratedReading>().not.toExtend<ThrowReading>();
});
