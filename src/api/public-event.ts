import { z } from 'zod';
import type { TableEvent } from '../core/round/events.ts';

/** Wire schemas of journal events as listeners may see them. A schema is a whitelist: fields it does not name never leave the table,
 *  such as people's names, file paths in fault details and the pixel geometry of a reading. */
const role = z.enum(['dealer', 'supervisor', 'technician', 'administrator']);
const face = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.literal(6)]);
/** Three faces, lowest first. */
export const diceSchema = z.tuple([face, face, face]);
const round = { roundId: z.string() };
const shake = { ...round, shakeNumber: z.number().int() };
const evidencePicture = z.object({ sha256: z.string(), capturedAtMs: z.number() });

export const publicEventSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('journalCreated'), journalId: z.string(), tableId: z.string() }),
  z.object({
    kind: z.literal('tableStarted'),
    bootId: z.string(),
    softwareVersion: z.string(),
    houseSha256: z.string(),
    isAfterCrash: z.boolean(),
  }),
  z.object({ kind: z.literal('tableStopped') }),
  z.object({ kind: z.literal('faultRaised'), fault: z.string() }),
  z.object({ kind: z.literal('faultCleared'), fault: z.string() }),
  z.object({ kind: z.literal('tableLocked'), roundId: z.string().nullable(), cause: z.string() }),
  z.object({ kind: z.literal('tableUnlocked'), by: role, second: role, reason: z.string() }),
  z.object({ kind: z.literal('tableHeld'), by: role, reason: z.string() }),
  z.object({ kind: z.literal('tableResumed'), by: role }),
  z.object({ kind: z.literal('ordersSeen') }),
  z.object({ kind: z.literal('coverSensed'), position: z.enum(['open', 'closed']) }),
  z.object({ kind: z.literal('nextRoundScheduled'), delayMs: z.number() }),
  z.object({
    kind: z.literal('roundOpened'),
    ...round,
    roundNumber: z.number().int(),
    houseId: z.string(),
    houseSha256: z.string(),
    by: role.nullable(),
  }),
  z.object({ kind: z.literal('bettingOpened'), ...round, durationMs: z.number() }),
  z.object({ kind: z.literal('bettingClosed'), ...round, by: role.nullable() }),
  z.object({
    kind: z.literal('shakeOrdered'),
    ...shake,
    activationCount: z.number().int(),
    tumblesMin: z.number().int(),
    cause: z.string().nullable(),
    by: role.nullable(),
  }),
  z.object({
    kind: z.literal('shakeFinished'),
    ...shake,
    tumbleCount: z.number().int(),
    activationCount: z.number().int(),
    isSettled: z.boolean(),
  }),
  z.object({ kind: z.literal('shakeFailed'), ...shake, cause: z.string() }),
  z.object({ kind: z.literal('coverOrdered'), ...round, position: z.enum(['open', 'closed']) }),
  z.object({ kind: z.literal('coverMoved'), ...round, position: z.enum(['open', 'closed']) }),
  z.object({ kind: z.literal('coverFailed'), ...round, cause: z.string() }),
  z.object({ kind: z.literal('restWatchOrdered'), ...shake }),
  z.object({ kind: z.literal('diceRested'), ...shake, motionBurstCount: z.number().int().nullable() }),
  z.object({ kind: z.literal('restFailed'), ...shake, cause: z.string() }),
  z.object({ kind: z.literal('readOrdered'), ...shake, attemptNumber: z.number().int() }),
  z.object({
    kind: z.literal('diceRead'),
    ...shake,
    reading: z.object({
      verdict: z.enum(['accepted', 'refused']),
      values: diceSchema.nullable(),
      cause: z.string().nullable(),
      pictureCount: z.number().int(),
      agreeingCount: z.number().int(),
      evidence: z.array(evidencePicture),
      calibrationId: z.string(),
    }),
  }),
  z.object({ kind: z.literal('readFailed'), ...shake, cause: z.string() }),
  z.object({ kind: z.literal('throwVoided'), ...shake, cause: z.string() }),
  z.object({
    kind: z.literal('resultDeclared'),
    ...round,
    dice: diceSchema,
    total: z.number().int(),
    winningZones: z.array(z.string()),
    evidence: z.array(z.string()),
  }),
  z.object({ kind: z.literal('roundSettled'), ...round }),
  z.object({
    kind: z.literal('roundVoided'),
    ...round,
    cause: z.string(),
    detail: z.string(),
    by: role.nullable(),
    second: role.nullable(),
  }),
  z.object({ kind: z.literal('roundHeld'), ...round, cause: z.string(), detail: z.string(), by: role.nullable() }),
  z.object({ kind: z.literal('roundResumed'), ...round, by: role }),
]);

/** A journal event without what listeners may not see; people appear by role only. */
export type PublicEvent = z.infer<typeof publicEventSchema>;

/** The public view of a journal event. Pure. @throws ZodError for an event that fits no schema; the compiler rules out a missing kind and a
 *  test a missing field. */
export function publicEvent(event: TableEvent): PublicEvent {
  event.kind satisfies PublicEvent['kind'];
  const fields: Record<string, unknown> = { ...event };
  if ('by' in event) fields.by = event.by?.role ?? null;
  if ('second' in event) fields.second = event.second?.role ?? null;
  return publicEventSchema.parse(fields);
}
