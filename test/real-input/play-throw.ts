import type { Person } from '../../src/core/round/person.ts';
import type { LabelledThrow } from './labelled-rig.ts';
import type { RealTable } from './real-table.ts';
import type { ArrivedEvent } from './round-feed.ts';

const dealer: Person = { name: 'Dana', role: 'dealer' };
const supervisor: Person = { name: 'Sam', role: 'supervisor' };

/** Longest time from one event to the next that a round waits for, ms: two shakes with their settle and read times fit in. */
const roundMsMax = 60_000;
const stepMsMax = 10_000;

export interface PlayedThrow {
  /** Lowest first, comma between; null when the table declared nothing. */
  readonly declared: string | null;
  /** What the table made of each shake that gave no result: the cause of the void throw or the failure of the watch. */
  readonly causes: readonly string[];
  /** `settled` or `voided`, or the cause of the hold that a supervisor then ended. */
  readonly end: string;
  readonly shakeCount: number;
  readonly motionBurstCounts: readonly (number | null)[];
  /** Pictures judged and pictures that agreed, per reading. */
  readonly pictureCounts: readonly string[];
  /** From the firmware's word that the dice rest to the result on the feed, settle window included, ms; null without a result. */
  readonly resultMs: number | null;
}

/** Plays one round in which every shake ends with the given throw. A held round is voided by two persons. */
export async function playThrow(table: RealTable, { file }: LabelledThrow): Promise<PlayedThrow> {
  const { feed } = table;
  await table.rested();
  await table.throwNext(file);
  const startIndex = feed.eventCount;
  const events = (): readonly ArrivedEvent[] => feed.from(startIndex);
  const came = (what: string, msMax: number, ...kinds: readonly ArrivedEvent['event']['kind'][]): Promise<ArrivedEvent> =>
    feed.until(what, msMax, () => events().find(({ event }) => kinds.includes(event.kind)));
  await table.act('open', { by: dealer });
  await came('no more bets', stepMsMax, 'bettingClosed');
  await table.act('shake', { by: dealer });
  const { event, arrivedMonoMs } = await came('an end of the round', roundMsMax, 'resultDeclared', 'roundVoided', 'roundHeld');
  const resultMs = event.kind === 'resultDeclared' ? arrivedMonoMs - table.settledMonoMs : null;
  if (event.kind === 'roundHeld') {
    await table.act('void', { by: supervisor, second: dealer, reason: 'labelled throw is not readable' });
  }
  await came('the terminal record', stepMsMax, 'roundSettled', 'roundVoided');
  return { ...courseOf(events()), resultMs };
}

function courseOf(arrived: readonly ArrivedEvent[]): Omit<PlayedThrow, 'resultMs'> {
  const causes: string[] = [];
  const motionBurstCounts: (number | null)[] = [];
  const pictureCounts: string[] = [];
  let declared: string | null = null;
  let end = 'voided';
  let shakeCount = 0;
  for (const { event } of arrived) {
    switch (event.kind) {
      case 'shakeOrdered':
        shakeCount += 1;
        break;
      case 'diceRested':
        motionBurstCounts.push(event.motionBurstCount);
        break;
      case 'diceRead':
        pictureCounts.push(`${event.reading.agreeingCount} of ${event.reading.pictureCount}`);
        // A refusal that only asks for fresh pictures voids no throw.
        if (event.reading.cause === 'bad-frame' || event.reading.cause === 'scene-changed') causes.push(event.reading.cause);
        break;
      case 'throwVoided':
      case 'shakeFailed':
      case 'readFailed':
        causes.push(event.cause);
        break;
      case 'restFailed':
        // Dice that move void the throw, which says so itself.
        if (event.cause !== 'moving') causes.push(event.cause);
        break;
      case 'resultDeclared':
        declared = event.dice.join(',');
        break;
      case 'roundSettled':
        end = 'settled';
        break;
      case 'roundHeld':
        end = `held: ${event.cause}`;
        break;
    }
  }
  return { declared, causes, end, shakeCount, motionBurstCounts, pictureCounts };
}
