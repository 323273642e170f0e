import type { Dice } from '../rules/dice.ts';
import type { RoundEvent } from './events.ts';
import type { PlaySettings } from './settings.ts';
import type { PendingOrder } from './state.ts';

/** What is remembered of the open round. Changed by `roundEventProblems` only. */
export interface RoundWatch {
  readonly roundId: string;
  readonly play: PlaySettings;
  bettingOpenedCount: number;
  bettingClosedCount: number;
  shakeCount: number;
  /** The present throw: null before the first shake and once it was voided. */
  throw: {
    activationCount: number;
    isProven: boolean;
    burstCount: number | null;
    isRested: boolean;
    accepted: Dice | null;
  } | null;
  /** Shake-first: the cover was seen open since it was last ordered to close. */
  isUncovered: boolean;
  hasResult: boolean;
  isHeld: boolean;
  pending: PendingOrder['kind'] | null;
}

/** The memory for a round that has just opened. */
export function roundWatchOf(roundId: string, play: PlaySettings): RoundWatch {
  return {
    roundId,
    play,
    bettingOpenedCount: 0,
    bettingClosedCount: 0,
    shakeCount: 0,
    throw: null,
    isUncovered: false,
    hasResult: false,
    isHeld: false,
    pending: null,
  };
}

/** Checks one event of the open round and remembers it. @returns what is wrong; empty when nothing is. */
export function roundEventProblems(
  watch: RoundWatch,
  event: Exclude<RoundEvent, { readonly kind: 'roundOpened' }>,
): readonly string[] {
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  const isBetsFirst = watch.play.orderOfPlay === 'bets-first';
  expect(event.roundId === watch.roundId, `names round ${event.roundId}, open is ${watch.roundId}`);
  expect(!watch.isHeld || event.kind === 'roundResumed' || event.kind === 'roundVoided', 'the round is held');
  if ('shakeNumber' in event && event.kind !== 'shakeOrdered') {
    expect(event.shakeNumber === watch.shakeCount, `names shake ${event.shakeNumber}, the last is ${watch.shakeCount}`);
  }
  switch (event.kind) {
    case 'bettingOpened':
      expect(watch.bettingOpenedCount === 0, 'betting opens twice');
      expect(isBetsFirst || watch.throw?.isProven === true, 'betting opens before the shake has finished');
      watch.bettingOpenedCount++;
      break;
    case 'bettingClosed':
      expect(watch.bettingOpenedCount === 1 && watch.bettingClosedCount === 0, 'betting closes without being open');
      watch.bettingClosedCount++;
      break;
    case 'shakeOrdered':
      ask(watch, 'shake', expect);
      expect(!watch.hasResult, 'a shake after the result');
      expect(watch.throw === null, 'a shake while a throw counts');
      expect(event.shakeNumber === watch.shakeCount + 1, `shake ${event.shakeNumber} after ${watch.shakeCount}`);
      expect((event.cause === null) === (watch.shakeCount === 0), 'a re-shake has a cause, a first shake has none');
      expect(!isBetsFirst || watch.bettingClosedCount === 1, 'a shake before betting closed');
      expect(isBetsFirst || watch.bettingOpenedCount === watch.bettingClosedCount, 'a shake while betting is open');
      watch.shakeCount = event.shakeNumber;
      watch.throw = {
        activationCount: event.activationCount,
        isProven: false,
        burstCount: null,
        isRested: false,
        accepted: null,
      };
      break;
    case 'shakeFinished': {
      answer(watch, 'shake', expect);
      const current = watch.throw;
      if (current === null) break;
      const isWhole = event.tumbleCount >= watch.play.tumblesMin && event.activationCount >= current.activationCount;
      current.isProven = isWhole && (isBetsFirst || event.isSettled);
      break;
    }
    case 'shakeFailed':
      answer(watch, 'shake', expect);
      break;
    case 'coverOrdered':
      ask(watch, 'cover', expect);
      if (event.position === 'open') expect(watch.bettingClosedCount === 1, 'the cover opens before betting closed');
      else expect(watch.throw === null, 'the cover closes over a throw that counts');
      watch.isUncovered = false;
      break;
    case 'coverMoved':
      answer(watch, 'cover', expect);
      watch.isUncovered = event.position === 'open';
      break;
    case 'coverFailed':
      answer(watch, 'cover', expect);
      break;
    case 'restWatchOrdered':
    case 'readOrdered':
      ask(watch, event.kind === 'readOrdered' ? 'read' : 'rest', expect);
      expect(!watch.hasResult, 'the dice are looked at after the result');
      expect(watch.throw?.isProven === true, 'the dice are looked at before the shake is proven');
      expect(isBetsFirst || (watch.isUncovered && watch.bettingClosedCount === 1), 'the dice are looked at under the cover');
      if (event.kind === 'readOrdered') expect(isRested(watch), 'a reading before rest and tumbles are proven');
      else if (watch.throw !== null) watch.throw.isRested = false;
      break;
    case 'diceRested':
      answer(watch, 'rest', expect);
      if (watch.throw === null) break;
      watch.throw.isRested = true;
      watch.throw.burstCount = Math.max(watch.throw.burstCount ?? 0, event.motionBurstCount ?? 0);
      break;
    case 'restFailed':
      answer(watch, 'rest', expect);
      break;
    case 'diceRead':
      answer(watch, 'read', expect);
      if (watch.throw !== null) watch.throw.accepted = event.reading.verdict === 'accepted' ? event.reading.values : null;
      break;
    case 'readFailed':
      answer(watch, 'read', expect);
      break;
    case 'throwVoided':
      expect(watch.throw !== null, 'no throw to void');
      expect(!watch.hasResult, 'the throw of a result is voided');
      watch.throw = null;
      watch.pending = null;
      break;
    case 'resultDeclared': {
      const { accepted } = watch.throw ?? { accepted: null };
      expect(!watch.hasResult, 'a second result');
      expect(accepted !== null && [...accepted].sort().join() === event.dice.join(), 'the result is not what was read');
      expect(event.total === event.dice[0] + event.dice[1] + event.dice[2], 'the total is not the sum of the dice');
      expect(watch.bettingClosedCount === 1, 'a result before betting closed');
      expect(watch.pending === null, `a result while ${watch.pending} is awaited`);
      watch.hasResult = true;
      break;
    }
    case 'roundSettled':
      expect(watch.hasResult, 'settled without a result');
      break;
    case 'roundVoided':
      expect(
        !watch.hasResult || areTwo(event.by?.name, event.second?.name),
        'a round with a result is voided by fewer than two persons',
      );
      break;
    case 'roundHeld':
      watch.isHeld = true;
      watch.pending = null;
      break;
    case 'roundResumed':
      expect(watch.isHeld, 'resumed without a hold');
      watch.isHeld = false;
      break;
    default:
      event satisfies never;
  }
  return problems;
}

type Expect = (holds: boolean, problem: string) => void;

function ask(watch: RoundWatch, kind: PendingOrder['kind'], expect: Expect): void {
  expect(watch.pending === null, `an order while ${watch.pending} is awaited`);
  watch.pending = kind;
}

function answer(watch: RoundWatch, kind: PendingOrder['kind'], expect: Expect): void {
  expect(watch.pending === kind, `an answer to ${kind} while ${watch.pending ?? 'nothing'} is awaited`);
  watch.pending = null;
}

function isRested({ play, throw: current }: RoundWatch): boolean {
  if (current === null || !current.isRested) return false;
  return play.orderOfPlay === 'shake-first' || (current.burstCount ?? 0) >= play.tumblesMin;
}

function areTwo(by: string | undefined, second: string | undefined): boolean {
  return by !== undefined && second !== undefined && by !== second;
}
