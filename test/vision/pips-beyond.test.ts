import { describe, expect, it } from 'vitest';
import { pipsBeyondFace } from '../../src/vision/pips-beyond.ts';
import type { ReducedMaps } from '../../src/vision/reduced-maps.ts';
import type { RigView } from '../../src/vision/rig.ts';

const side = 120;
const edgePx = 28;
const offset = 0.26 * edgePx;
/** The picture and its reduced maps are of one size here. */
const view = { rect: { x: 0, y: 0, width: side, height: side }, scale: 1 } as unknown as RigView;

/** Maps of a black floor with pips of a brightness at some places, where the pip filter answers as to pips. */
function mapsWith(places: readonly (readonly [number, number])[], brightness: number): ReducedMaps {
  const pips = new Float32Array(side * side);
  const data = new Uint8Array(3 * side * side).fill(30);
  for (const [x, y] of places) {
    const i = Math.round(y) * side + Math.round(x);
    pips[i] = 0.95;
    data.fill(brightness, 3 * i, 3 * i + 3);
  }
  return {
    width: side,
    height: side,
    pips,
    picture: { width: side, height: side, data },
    floor: new Float32Array(3 * side * side).fill(30),
    glare: new Uint8Array(side * side),
  } as unknown as ReducedMaps;
}

function faceAt(x: number, y: number) {
  return { x, y, angle: 0, edgePx };
}

const four = [-1, 1].flatMap((i) => [-1, 1].map((j) => [60 + i * offset, 60 + j * offset] as const));

describe('light pips beside a face', () => {
  it('are three around a pip of a 4 that was taken for a 1', () => {
    expect(pipsBeyondFace(mapsWith(four, 220), view, [faceAt(60 - offset, 60 - offset)], 0)).toBe(3);
  });

  it('are none around the 4 itself', () => {
    expect(pipsBeyondFace(mapsWith(four, 220), view, [faceAt(60, 60)], 0)).toBe(0);
  });

  it('are none when they belong to the neighbour', () => {
    const one = faceAt(60 - 1.03 * edgePx, 60);
    const maps = mapsWith([...four, [one.x, one.y]], 220);

    expect(pipsBeyondFace(maps, view, [one, faceAt(60, 60)], 0)).toBe(0);
  });

  it('are not the dark gaps between light dice', () => {
    expect(pipsBeyondFace(mapsWith(four, 12), view, [faceAt(60 - offset, 60 - offset)], 0)).toBe(0);
  });
});
