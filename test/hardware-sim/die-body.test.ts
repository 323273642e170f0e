import { describe, expect, it } from 'vitest';
import { faceCorners, faceNormals, pipGrid, rotationWithTop, topFaceOf } from '../../hardware-sim/die-body.ts';
import { pinhole } from '../../hardware-sim/pinhole.ts';
import { demoRig } from '../../hardware-sim/rig.ts';
import { cross, dot, turnAbout } from '../../hardware-sim/rotation.ts';
import { faces } from '../../src/core/rules/dice.ts';

describe('a simulated die', () => {
  it('has opposite faces that sum to 7', () => {
    for (const [a, b] of [
      [1, 6],
      [2, 5],
      [3, 4],
    ] as const)
      expect(dot(faceNormals[a], faceNormals[b])).toBe(-1);
  });

  it('is a western die: 1, 2 and 3 follow each other counter-clockwise around their corner', () => {
    expect(dot(cross(faceNormals[1], faceNormals[2]), faceNormals[3])).toBe(1);
  });

  it('is not mirrored in the picture: with the corner of 1, 2 and 3 towards the camera they stand counter-clockwise', () => {
    // Turns the body diagonal (1, 1, 1) upright.
    const diagonal = Math.acos(1 / Math.sqrt(3));
    const pose = { position: [0, 0, 20], rotation: turnAbout([Math.SQRT1_2, -Math.SQRT1_2, 0], diagonal) } as const;
    const camera = pinhole(demoRig().camera);
    const places = ([1, 2, 3] as const).map((face) => {
      const corners = faceCorners(pose, face, 16).map(camera.project);
      return [corners.reduce((sum, p) => sum + p[0] / 4, 0), corners.reduce((sum, p) => sum + p[1] / 4, 0)] as const;
    });
    const [a, b, c] = places as [(typeof places)[0], (typeof places)[0], (typeof places)[0]];
    const turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

    // The picture's y runs down, so counter-clockwise to the eye is a negative turn.
    expect(turn).toBeLessThan(-100);
  });

  it('shows as many pips as its value, all at different places', () => {
    for (const face of faces) expect(new Set(pipGrid[face].map(String)).size).toBe(face);
  });

  it('can be laid with any face on top, turned by any angle', () => {
    for (const face of faces)
      for (const yaw of [0, 1, 2.5, 6]) {
        const top = topFaceOf({ position: [0, 0, 8], rotation: rotationWithTop(face, yaw) });
        expect(top.value).toBe(face);
        expect(top.tiltDeg).toBeLessThan(1e-5);
      }
  });
});
