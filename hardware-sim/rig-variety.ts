import type { DieStyle, FloorKind, Rig } from './rig.ts';
import { seededRandom } from './seeded-random.ts';

/** Dice and floors that make a pair of little contrast. */
const likeFloors: Readonly<Partial<Record<DieStyle, FloorKind>>> = {
  white: 'white-cloth',
  'white-red': 'white-cloth',
  macau: 'white-cloth',
  ivory: 'beige-cloth',
  black: 'black-rubber',
  red: 'red-felt',
  'red-black': 'red-felt',
  'translucent-red': 'red-felt',
};

/** Gives a random rig what few tables have: pips of another colour, very small, large, sharp or rounded dice, a light or coarse floor, a floor of
 *  the dice's colour, a lens out of focus, dust on the dome. Its chance is its own, so that the rest of the rig stays what its seed makes it. */
export function withVariety(rig: Rig, seed: number): Rig {
  const random = seededRandom(seed * 104_729 + 71);
  // Every draw is made whether or not it is used, so that a changed share changes one property only.
  const [oddStyle, style] = [random.next(), random.pick<DieStyle>(['white-red', 'ivory-red', 'black-red', 'red-black'])];
  const [oddSize, smallMm, largeMm] = [random.next(), random.between(14, 15), random.between(19, 20)];
  const [oddCorner, sharpMm, roundMm] = [random.next(), random.between(0.25, 0.7), random.between(1.8, 2.6)];
  const [oddFloor, floor] = [random.next(), random.pick<FloorKind>(['white-cloth', 'woven-carpet'])];
  const [oddFocus, softPx] = [random.next(), random.between(0.6, 1.3)];
  const [oddDome, speckCount] = [random.next(), 10 + random.index(50)];
  const dieStyle = oddStyle < 0.3 ? style : rig.die.style;
  const likeFloor = likeFloors[dieStyle];
  const edgeMm = oddSize < 0.12 ? smallMm : oddSize < 0.24 ? largeMm : rig.die.edgeMm;
  return {
    ...rig,
    floor: oddFloor < 0.1 && likeFloor !== undefined ? likeFloor : oddFloor < 0.35 ? floor : rig.floor,
    die: {
      ...rig.die,
      style: dieStyle,
      edgeMm: Math.round(edgeMm * 4) / 4,
      cornerRadiusMm: oddCorner < 0.2 ? sharpMm : oddCorner < 0.3 ? roundMm : rig.die.cornerRadiusMm,
    },
    domeSpeckCount: oddDome < 0.35 ? speckCount : 0,
    picture: { ...rig.picture, softPx: oddFocus < 0.25 ? softPx : 0 },
  };
}
