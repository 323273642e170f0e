import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fitProfile } from '../../../calibration/fit.ts';
import type { CalibrationProfile } from '../../../calibration/profile.ts';
import { type SeededRandom, seededRandom } from '../../../hardware-sim/seeded-random.ts';
import type { DieReading, PictureReading } from '../../../src/core/judging/reading.ts';
import { drawOverlay } from '../../../src/vision/overlay.ts';
import { readJpeg } from '../../../src/vision/read-picture.ts';
import { openRig, type Rig } from '../../../src/vision/rig.ts';
import { type MutatedPicture, type MutationKind, mutateFace, mutationKinds } from '../../vision/mutate-face.ts';
import { decodePixels, encodePixels, type PipSizes } from '../../vision/paint-pips.ts';
import { labelledPictures } from './labelled-rig.ts';
import type { RigTask } from './measure-rig.ts';

/** What the reader made of one changed picture. `kept`: accepted with the values of the picture before; `legal`: accepted, and the changed face is
 *  the legal one of that value; `other`: accepted with a number that nothing shows. */
export interface MutationOutcome {
  readonly source: string;
  readonly rig: string;
  readonly value: number;
  readonly kind: MutationKind;
  /** Value that the changed face legally shows; null for none. */
  readonly legalValue: number | null;
  readonly outcome: 'refused' | 'kept' | 'legal' | 'other';
  readonly cause: string | null;
  /** Votes on the changed die, null where it was not told or not found. */
  readonly geometric: number | null;
  readonly appearance: number | null;
}

/** Changes dice of pictures that the rig's reader reads right, one pip each, in all 18 combinations of value and kind alike.
 *  @param count pictures to make; the folder must hold flat dice of every value. */
export async function measureMutations(task: RigTask, count: number): Promise<readonly MutationOutcome[]> {
  const profile = fitProfile(task.folder, { createdBy: 'bench', why: 'bench', createdAt: new Date().toISOString() }, () => {});
  const rig = openRig(profile);
  try {
    return await mutationsOf(task, rig, pipSizesOf(profile), count);
  } finally {
    rig.view.referenceMat.release();
  }
}

/** Sizes of the pips that a calibration has measured. */
export function pipSizesOf({ faces }: CalibrationProfile): PipSizes {
  return { spread: faces.pipSpreadEdges, radius: faces.pipRadiusEdges };
}

async function mutationsOf(task: RigTask, rig: Rig, sizes: PipSizes, count: number): Promise<readonly MutationOutcome[]> {
  // Rigs of one run make different changes.
  const random = seededRandom([...task.rig].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, count));
  const dice = readRight(task.folder, rig);
  const outcomes: MutationOutcome[] = [];
  const folder = join(task.outFolder, task.rig);
  mkdirSync(folder, { recursive: true });
  for (let i = 0; i < count; i += 1) {
    const value = 1 + (i % 6);
    const kind = mutationKinds[Math.floor(i / 6) % mutationKinds.length] ?? 'removed';
    const candidates = dice.filter(({ die }) => die.value === value);
    if (candidates.length === 0) continue;
    const changed = await changedByChance(task.folder, candidates, sizes, kind, random);
    if (changed === null) continue;
    const { file, die, values, mutated } = changed;
    const jpeg = await encodePixels(mutated.pixels);
    const explained = readJpeg(rig, jpeg);
    const outcome = outcomeOf(explained.reading, values, die, mutated.legalValue);
    const votes = nearestDie(explained.reading.dice, die)?.votes;
    outcomes.push({
      source: task.source,
      rig: task.rig,
      value,
      kind,
      legalValue: mutated.legalValue,
      outcome,
      cause: explained.reading.cause,
      geometric: votes?.geometric ?? null,
      appearance: votes?.appearance ?? null,
    });
    const drawn = outcome === 'refused' ? null : drawOverlay(rig, jpeg, explained);
    if (drawn === null) continue;
    const name = `${outcome}-${value}-${kind}-${i}-${file}`;
    writeFileSync(join(folder, name), drawn);
    writeFileSync(join(folder, `plain-${name}`), jpeg);
  }
  return outcomes;
}

/** Dice tried until one can be changed where no glare lies. */
const triesMax = 20;

async function changedByChance(
  folder: string,
  candidates: readonly ReadDie[],
  sizes: PipSizes,
  kind: MutationKind,
  random: SeededRandom,
): Promise<(ReadDie & { readonly mutated: MutatedPicture }) | null> {
  for (let turn = 0; turn < triesMax; turn += 1) {
    const chosen = random.pick(candidates);
    const mutated = mutateFace(await decodePixels(readFileSync(join(folder, chosen.file))), chosen.die, sizes, kind, random);
    if (mutated !== null) return { ...chosen, mutated };
  }
  return null;
}

interface ReadDie {
  readonly file: string;
  readonly die: DieReading;
  readonly values: readonly number[];
}

/** Dice of the valid throws that are read right as they are, so that a refusal afterwards comes from the change. */
function readRight(folder: string, rig: Rig): readonly ReadDie[] {
  return labelledPictures(folder, ['test', 'calib']).flatMap((picture) => {
    if (!picture.isValid || picture.hasGlare) return [];
    const { reading } = readJpeg(rig, readFileSync(join(folder, picture.file)));
    if (reading.values?.join() !== picture.values.join()) return [];
    return reading.dice.map((die) => ({ file: picture.file, die, values: picture.values }));
  });
}

function outcomeOf(
  reading: PictureReading,
  before: readonly number[],
  die: DieReading,
  legalValue: number | null,
): MutationOutcome['outcome'] {
  if (reading.verdict === 'refused') return 'refused';
  if (reading.values.join() === before.join()) return 'kept';
  const rest = [...before];
  rest.splice(rest.indexOf(die.value ?? 0), 1);
  const legal = legalValue === null ? '' : [...rest, legalValue].sort((a, b) => a - b).join();
  return reading.values.join() === legal ? 'legal' : 'other';
}

function nearestDie(dice: readonly DieReading[], { centrePx: [x, y], quadPx }: DieReading): DieReading | null {
  const distance = (die: DieReading): number => Math.hypot(die.centrePx[0] - x, die.centrePx[1] - y);
  const [first, second] = quadPx;
  const edgePx = first && second ? Math.hypot(first[0] - second[0], first[1] - second[1]) : 0;
  const nearest = [...dice].sort((a, b) => distance(a) - distance(b))[0];
  return nearest !== undefined && distance(nearest) < edgePx / 2 ? nearest : null;
}
