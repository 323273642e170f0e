import { z } from 'zod';
import { diceSchema, publicEventSchema } from './public-event.ts';

/** Wire schemas of everything that leaves over HTTP or the feed, and their types. Pages import the types of this file only.
 *  Times `…AtMs` and `…SinceMs` are wall clock ms since 1970, for people; durations are ms of the table's monotonic clock. */
export const phaseSchema = z.enum([
  'closed',
  'betting',
  'no-more-bets',
  'shaking',
  'settling',
  'uncovering',
  'reading',
  'result',
  'held',
  'void',
  'locked',
]);

export const roleSchema = z.enum(['dealer', 'supervisor', 'technician', 'administrator']);

const attemptView = z.object({
  shakeNumber: z.number().int(),
  tumbleCount: z.number().int().nullable(),
  /** Why this throw did not count; null while open and for the throw that became the result. */
  fault: z.string().nullable(),
  /** Why a device could not finish its part. */
  failure: z.string().nullable(),
});

/** The table at one moment: enough to draw a display, nothing else. */
export const tableViewSchema = z.object({
  tableId: z.string(),
  tableName: z.string(),
  journalId: z.string(),
  houseId: z.string(),
  phase: phaseSchema,
  phaseSinceMs: z.number(),
  /** The running countdown by the table's clock at the moment of sending; null when none runs. */
  countdown: z
    .object({
      name: z.enum(['betting', 'no-more-bets', 'review', 'next-round']),
      remainingMs: z.number(),
      durationMs: z.number(),
    })
    .nullable(),
  /** The round being played, or the last one while closed or void. */
  round: z
    .object({
      roundId: z.string(),
      roundNumber: z.number().int(),
      houseId: z.string(),
      orderOfPlay: z.enum(['bets-first', 'shake-first']),
      isBettingClosed: z.boolean(),
      /** Shakes ordered so far; 0 before the first. */
      shakeNumber: z.number().int(),
      /** Shakes after which the table holds; more once a person has resumed. */
      shakesMax: z.number().int(),
      /** Why the throw before the present shake did not count; null for the first shake. */
      reshakeCause: z.string().nullable(),
      readAttemptCount: z.number().int(),
      attempts: z.array(attemptView),
      result: z.object({ dice: diceSchema, total: z.number().int(), winningZones: z.array(z.string()) }).nullable(),
      end: z.enum(['settled', 'voided']).nullable(),
      voidCause: z.string().nullable(),
    })
    .nullable(),
  hold: z
    .object({
      /** From 1, per journal; `POST /api/acts/resume` names it. */
      holdNumber: z.number().int(),
      cause: z.string(),
      detail: z.string(),
      sinceMs: z.number(),
      fromPhase: phaseSchema,
    })
    .nullable(),
  lock: z.object({ cause: z.string(), sinceMs: z.number() }).nullable(),
  faults: z.array(z.object({ code: z.string(), isBlocking: z.boolean(), sinceMs: z.number() })),
  isStopped: z.boolean(),
});
export type TableView = z.infer<typeof tableViewSchema>;

/** One ended round. `recordNumber` is its terminal record. */
export const historyRowSchema = z.object({
  recordNumber: z.number().int(),
  roundId: z.string(),
  roundNumber: z.number().int(),
  openedAtMs: z.number(),
  endedAtMs: z.number(),
  end: z.enum(['settled', 'voided']),
  voidCause: z.string().nullable(),
  shakeCount: z.number().int(),
  dice: diceSchema.nullable(),
  total: z.number().int().nullable(),
  outcome: z.enum(['small', 'big', 'triple']).nullable(),
  winningZones: z.array(z.string()),
});
export type HistoryRow = z.infer<typeof historyRowSchema>;

export const historyViewSchema = z.object({
  rounds: z.array(historyRowSchema),
  /** Pass as `before` for the next page; null on the last. */
  nextBefore: z.number().int().nullable(),
});

/** One journal record as a step of a round, with addresses of the pictures that prove it. */
export const stepViewSchema = z.object({
  recordNumber: z.number().int(),
  at: z.object({ wallMs: z.number(), monoMs: z.number() }),
  bootId: z.string(),
  isClockSynchronised: z.boolean(),
  hash: z.string(),
  event: publicEventSchema,
  evidence: z.array(z.object({ sha256: z.string(), url: z.string() })),
});
export const roundViewSchema = z.object({
  roundId: z.string(),
  isEnded: z.boolean(),
  summary: historyRowSchema.nullable(),
  steps: z.array(stepViewSchema),
});
export type RoundView = z.infer<typeof roundViewSchema>;

/** The house in force as data. Prices are "n:d"; three of them (one, two, three dice) for `single-N`, one for all others. */
export const houseViewSchema = z.object({
  houseId: z.string(),
  name: z.string(),
  /** Of `name` and the labels, a BCP 47 code. */
  language: z.string(),
  rtpMax: z.string(),
  zones: z.array(
    z.object({ id: z.string(), label: z.string(), pays: z.array(z.string()), ways: z.array(z.number().int()), rtp: z.string() }),
  ),
});
export type HouseView = z.infer<typeof houseViewSchema>;

/** Plain counts over the last settled rounds, without judgement. */
export const statisticsViewSchema = z.object({
  roundCount: z.number().int(),
  small: z.number().int(),
  big: z.number().int(),
  triple: z.number().int(),
  /** As they are paid: a triple is neither. */
  odd: z.number().int(),
  even: z.number().int(),
  /** How many of the dice showed 1 to 6, in this order. */
  faceCounts: z.array(z.number().int()).length(6),
  /** How many rounds had total 3 to 18, in this order. */
  totalCounts: z.array(z.number().int()).length(16),
  /** Totals that came most often, and totals that have not come for longest; at most three of each, the foremost first. */
  hotTotals: z.array(z.number().int()),
  coldTotals: z.array(z.number().int()),
});
export type StatisticsView = z.infer<typeof statisticsViewSchema>;

export const healthViewSchema = z.object({
  status: z.enum(['ok', 'degraded', 'blocked', 'locked', 'stopped']),
  phase: phaseSchema,
  head: z.object({ recordNumber: z.number().int(), hash: z.string() }),
  standingFaults: z.array(z.object({ code: z.string(), isBlocking: z.boolean() })),
  devices: z.array(
    z.object({
      device: z.string(),
      isUp: z.boolean(),
      detail: z.string(),
      firstFaultMs: z.number().nullable(),
      lastFaultMs: z.number().nullable(),
      counters: z.record(z.string(), z.number()),
    }),
  ),
  refusedCounts: z.record(z.string(), z.number()),
  feed: z.record(z.string(), z.number()),
});
export type HealthView = z.infer<typeof healthViewSchema>;

export const errorViewSchema = z.object({ code: z.string(), message: z.string(), problems: z.array(z.string()) });
export type ErrorView = z.infer<typeof errorViewSchema>;

/** `seq` is the number of the last journal record that the message reflects; a listener that has seen every number up to the `seq` of a
 *  heartbeat, or a snapshot with it, has seen everything. */
const seq = { seq: z.number().int() };
export const feedMessageSchema = z.discriminatedUnion('type', [
  /** Everything at once: first message of a new listener, or of one that was away for too long. `history`: settled rounds, newest first. */
  z.object({
    type: z.literal('snapshot'),
    ...seq,
    hash: z.string(),
    heartbeatMs: z.number(),
    table: tableViewSchema,
    history: z.array(historyRowSchema),
  }),
  /** One journal record. Records written together are sent together; `table` comes with the last of them. `row` comes with the end of a round. */
  z.object({
    type: z.literal('event'),
    ...seq,
    atMs: z.number(),
    event: publicEventSchema,
    table: tableViewSchema.nullable(),
    row: historyRowSchema.nullable(),
  }),
  z.object({
    type: z.literal('heartbeat'),
    ...seq,
    hash: z.string(),
    heartbeatMs: z.number(),
    remainingMs: z.number().nullable(),
  }),
  z.object({ type: z.literal('error'), ...seq, code: z.string(), message: z.string() }),
]);
export type FeedMessage = z.infer<typeof feedMessageSchema>;
