import type { ThrowReading } from '../judging/reading.ts';
import { type Dice, isFace, sortedDice, totalOf } from '../rules/dice.ts';
import type { DiceFact } from './facts.ts';
import { distrustedPictureFaults } from './faults.ts';
import { lastAttempt } from './live-round.ts';
import { applyRemedy, orderRead } from './round-moves.ts';
import type { TableState } from './state.ts';
import type { Refusal } from './step.ts';
import type { StepDraft } from './step-draft.ts';
import { remedyOfThrow, remedyOfWatch } from './throw-policy.ts';

/** Decides what was seen of the dice. An answer that is not awaited is stale. @returns why it is refused, else null. */
export function stepDice(draft: StepDraft, fact: DiceFact): Refusal | null {
  const { pending } = draft.state;
  const question = fact.kind === 'diceRested' || fact.kind === 'restFailed' ? 'rest' : 'read';
  if (pending === null || pending.kind !== question || pending.orderNumber !== fact.orderNumber) return 'stale-answer';
  const { roundId, attempts } = draft.round;
  const about = { roundId, shakeNumber: attempts.length };
  switch (fact.kind) {
    case 'diceRested':
      draft.add({ kind: 'diceRested', ...about, motionBurstCount: fact.motionBurstCount });
      if (areTumblesSeen(draft)) orderRead(draft);
      else applyRemedy(draft, remedyOfThrow['tumbles-not-seen'], 'tumbles-not-seen', 'tumbles not seen in the picture');
      return null;
    case 'restFailed':
      draft.add({ kind: 'restFailed', ...about, cause: fact.cause });
      if (fact.cause === 'moving') applyRemedy(draft, remedyOfThrow.moving, 'moving', 'moving');
      else applyRemedy(draft, remedyOfWatch[fact.cause], null, fact.cause);
      return null;
    case 'diceRead':
      afterReading(draft, fact.reading);
      return null;
    case 'readFailed':
      draft.add({ kind: 'readFailed', ...about, cause: fact.cause });
      applyRemedy(draft, remedyOfWatch[fact.cause], null, fact.cause);
      return null;
    default:
      return fact satisfies never;
  }
}

/** Bets-first: the picture must bear out the tumbles that the firmware counted. Shake-first: no picture was allowed, the sensor stands alone. */
function areTumblesSeen(draft: StepDraft): boolean {
  const { play } = draft.round;
  if (play.orderOfPlay === 'shake-first') return true;
  return (lastAttempt(draft.round)?.motionBurstCount ?? 0) >= play.tumblesMin;
}

function afterReading(draft: StepDraft, reading: ThrowReading): void {
  const { roundId, attempts, houseId } = draft.round;
  const about = { roundId, shakeNumber: attempts.length };
  if (reading.verdict === 'refused') {
    const cause = reading.cause ?? 'bad-frame';
    draft.add({ kind: 'diceRead', ...about, reading });
    applyRemedy(draft, remedyOfThrow[cause], cause, cause);
    return;
  }
  const dice = provenDice(reading);
  if (dice === null || isPictureDistrusted(draft.state)) {
    draft.add({ kind: 'readFailed', ...about, cause: 'not-trusted' });
    applyRemedy(draft, remedyOfWatch['not-trusted'], null, 'not-trusted');
    return;
  }
  draft.add({ kind: 'diceRead', ...about, reading });
  draft.add({
    kind: 'resultDeclared',
    roundId,
    orderNumber: draft.nextOrderNumber,
    dice,
    total: totalOf(dice),
    winningZones: draft.context.winningZones(dice, houseId),
    evidence: reading.evidence.map((picture) => picture.sha256),
  });
}

function isPictureDistrusted(state: TableState): boolean {
  return [...state.faults.keys()].some((fault) => distrustedPictureFaults.has(fault));
}

/** The values of an accepted reading, lowest first, or null unless exactly three dice bear them out with both readers' votes on each: the
 *  last check before money hangs on it, made apart from whoever judged the pictures. */
function provenDice(reading: ThrowReading): Dice | null {
  const seen = reading.dice.map((die) =>
    die.votes.geometric === die.value && die.votes.appearance === die.value ? die.value : null,
  );
  const [a, b, c] = seen;
  if (seen.length !== 3 || !isFace(a) || !isFace(b) || !isFace(c) || reading.values === null) return null;
  const dice = sortedDice(a, b, c);
  const [low, middle, high] = reading.values;
  if (!isFace(low) || !isFace(middle) || !isFace(high)) return null;
  return sortedDice(low, middle, high).every((face, index) => face === dice[index]) ? dice : null;
}
