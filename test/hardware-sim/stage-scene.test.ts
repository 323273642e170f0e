import { beforeAll, describe, expect, it } from 'vitest';
import { loadPhysics, type TraySettings } from '../../hardware-sim/dice-physics.ts';
import { outermostMm } from '../../hardware-sim/dice-placing.ts';
import { rotationWithTop } from '../../hardware-sim/die-body.ts';
import { gapMm, sceneTruth } from '../../hardware-sim/scene-truth.ts';
import { type StagedKind, stageScene } from '../../hardware-sim/stage-scene.ts';

const tray: TraySettings = {
  edgeMm: 16,
  cornerRadiusMm: 1.2,
  trayRadiusMm: 58,
  rim: { widthMm: 7, heightMm: 8 },
  pulseGapMs: 650,
};
const truthOf = (kind: StagedKind, seed: number): ReturnType<typeof sceneTruth> =>
  sceneTruth(stageScene(kind, seed, tray), 16, 58);

beforeAll(loadPhysics);

describe('the truth about a scene', () => {
  const classes: readonly (readonly [StagedKind, string])[] = [
    ['flat', 'flat'],
    ['touching', 'touching'],
    ['leaning-on-die', 'tilted'],
    ['leaning-on-wall', 'tilted'],
    ['stacked', 'stacked'],
    ['two-dice', 'out'],
    ['on-rim', 'out'],
    ['chip', 'foreign'],
    ['coin', 'foreign'],
    ['crumb', 'foreign'],
    ['hand', 'hand'],
    ['moving', 'motion'],
    ['empty', 'empty'],
    ['enclosing', 'touching'],
    ['at-wall', 'flat'],
    ['stacked-flush', 'stacked'],
    ['on-rim-top', 'out'],
    ['turning', 'motion'],
    ['four-dice', 'out'],
  ];
  it.each(classes)('names a scene staged as %s as %s, whatever the seed', (kind, sceneClass) => {
    for (let seed = 0; seed < 25; seed += 1) {
      const truth = truthOf(kind, seed);
      expect(truth.class).toBe(sceneClass);
      expect(truth.isValid).toBe(sceneClass === 'flat' || sceneClass === 'touching');
    }
  });

  it('is the same for the same seed', () => {
    expect(stageScene('stacked', 3, tray)).toEqual(stageScene('stacked', 3, tray));
    expect(stageScene('stacked', 3, tray)).not.toEqual(stageScene('stacked', 4, tray));
  });

  it('calls a lean of up to 8 degrees flat and gives its angle', () => {
    for (let seed = 0; seed < 25; seed += 1) {
      const truth = truthOf('slight-lean', seed);
      const tilt = Math.max(...truth.dice.map((die) => die.tiltDeg));
      expect(truth.isValid).toBe(true);
      expect(tilt).toBeGreaterThan(0.19);
      expect(tilt).toBeLessThan(8.01);
    }
  });

  it('keeps leaning dice on the floor and out of each other', () => {
    for (let seed = 0; seed < 25; seed += 1) {
      const truth = truthOf('leaning-on-die', seed);
      expect(truth.gapMmMin).toBeGreaterThanOrEqual(0);
      expect(truth.gapMmMin).toBeLessThan(0.1);
    }
  });

  it('lays enclosing dice inside the tray, each near both others', () => {
    for (let seed = 0; seed < 25; seed += 1) {
      const [a, b, c] = stageScene('enclosing', seed, tray).dice;
      if (a === undefined || b === undefined || c === undefined) throw new RangeError('three dice are staged');
      for (const die of [a, b, c]) expect(outermostMm(die, tray)).toBeLessThan(58);
      for (const gap of [gapMm(a, b, 16), gapMm(b, c, 16), gapMm(a, c, 16)]) expect(gap).toBeCloseTo(0.2, 0);
    }
  });

  it('lays a die against the wall, and no other', () => {
    for (let seed = 0; seed < 25; seed += 1) {
      const reachesMm = stageScene('at-wall', seed, tray).dice.map((die) => outermostMm(die, tray));
      expect(reachesMm[0]).toBeCloseTo(58, 3);
      expect(Math.max(...reachesMm)).toBeLessThanOrEqual(58.001);
    }
  });

  it('measures the gap between two dice by their nearest points', () => {
    const at = (x: number, y: number, yaw = 0) => ({ position: [x, y, 8] as const, rotation: rotationWithTop(1, yaw) });

    expect(gapMm(at(0, 0), at(20, 0), 16)).toBeCloseTo(4, 5);
    expect(gapMm(at(0, 0), at(19, 20), 16)).toBeCloseTo(5, 5);
    expect(gapMm(at(0, 0), at(20, 0, Math.PI / 4), 16)).toBeCloseTo(20 - 8 - 8 * Math.SQRT2, 5);
    expect(gapMm(at(0, 0), at(14, 0), 16)).toBeCloseTo(-2, 5);
  });
});
