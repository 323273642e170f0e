import type { TraySettings } from '../../hardware-sim/dice-physics.ts';
import { rotationWithTop } from '../../hardware-sim/die-body.ts';
import { gapMm, type Scene } from '../../hardware-sim/scene-truth.ts';
import { type SeededRandom, seededRandom } from '../../hardware-sim/seeded-random.ts';
import type { Dice } from '../../src/core/rules/dice.ts';
import { type LaidDie, laidOut, quarterTurn, tripletOf } from './laid-dice.ts';
import type { Trigger } from './trigger.ts';

/** Every way in which dice lie against each other. */
const contacts = ['corner to side', 'corner to corner', 'edge', 'flush row', 'L', 'triangle', 'ring'] as const;
type Contact = (typeof contacts)[number];

/** Number by which triplets are walked through; it has no factor in common with 216. */
const tripletStep = 101;

/** DICE-02: all contact types x 216 triplets x random rotation. Exact values or no reading; never 1, 2 or 4 dice as a result. */
export const touchingDice: Trigger = {
  id: 'DICE-02',
  title: 'dice that touch in every way',
  rigs: 'all-dice',
  fullCount: contacts.length * 216,
  sampleCount: 56,
  unit: 'pictures',
  run: async (bench) => {
    for (let i = 0; i < bench.count; i += 1) {
      const contact = contacts[i % contacts.length] as Contact;
      const values = tripletOf((Math.floor(i / contacts.length) * tripletStep) % 216);
      const rig = bench.rigOf(Math.floor(i / contacts.length));
      const scene = touching(contact, values, seededRandom(i * 17 + 3), rig.tray);
      rig.camera.show(scene);
      bench.read(rig, contact, i, await rig.jpeg(), values);
    }
  },
};

function touching(contact: Contact, [a, b, c]: Dice, random: SeededRandom, tray: TraySettings): Scene {
  const edge = tray.edgeMm;
  const next = edge + random.between(0.02, 0.3);
  const laid = (value: Dice[number], x: number, y: number, yawRad = 0): LaidDie => {
    return { value, atMm: [x, y], yawRad: yawRad + quarterTurn(random) };
  };
  switch (contact) {
    case 'corner to side':
      return laidOut(
        [laid(a, 0, 0), laid(b, next - edge / 2 + edge / Math.SQRT2, random.between(-0.35, 0.35) * edge, Math.PI / 4)],
        [c],
        random,
        tray,
      );
    case 'corner to corner':
      return laidOut([laid(a, 0, 0), laid(b, next, next)], [c], random, tray);
    case 'edge': {
      const along = random.between(0.15, 0.85) * edge * (random.next() < 0.5 ? -1 : 1);
      return laidOut([laid(a, 0, 0), laid(b, next, along)], [c], random, tray);
    }
    case 'flush row':
      return laidOut([laid(a, -next, 0), laid(b, 0, 0), laid(c, next, 0)], [], random, tray);
    case 'L':
      return laidOut([laid(a, 0, 0), laid(b, next, 0), laid(c, 0, next)], [], random, tray);
    case 'triangle':
      return laidOut(
        [laid(a, -next / 2, 0), laid(b, next / 2, 0), laid(c, random.between(-0.2, 0.2) * edge, next)],
        [],
        random,
        tray,
      );
    case 'ring':
      return ring([a, b, c], random, tray);
    default:
      return contact satisfies never;
  }
}

/** Three dice around a piece of floor, each touching both others. */
function ring(values: Dice, random: SeededRandom, tray: TraySettings): Scene {
  const twist = random.between(-0.35, 0.35);
  const wantedMm = random.between(0.03, 0.3);
  const turns = values.map(() => quarterTurn(random));
  const at = (reachMm: number): readonly LaidDie[] =>
    values.map((value, i) => {
      const angle = (i * 2 * Math.PI) / 3;
      const atMm = [reachMm * Math.cos(angle), reachMm * Math.sin(angle)] as const;
      return { value, atMm, yawRad: angle + twist + (turns[i] as number) };
    });
  let [near, far] = [0.5 * tray.edgeMm, 1.5 * tray.edgeMm];
  for (let step = 0; step < 20; step += 1) {
    const middle = (near + far) / 2;
    // By its symmetry one pair tells of all three.
    const [first, second] = at(middle).map(({ atMm: [x, y], yawRad }) => {
      return { position: [x, y, tray.edgeMm / 2] as const, rotation: rotationWithTop(1, yawRad) };
    });
    if (first !== undefined && second !== undefined && gapMm(first, second, tray.edgeMm) > wantedMm) far = middle;
    else near = middle;
  }
  return laidOut(at(far), [], random, tray);
}
