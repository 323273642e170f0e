import { z } from 'zod';
import type { Act } from '../../ports/table.ts';
import type { ApiParts, ApiServer } from '../api-parts.ts';
import { ApiError, refusalCode } from '../errors.ts';
import { loopbackOnly } from '../loopback-only.ts';
import { errorViewSchema, roleSchema } from '../views.ts';

/** A name or a reason: something to read, without control characters. */
const readable = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .regex(/^(?=.*\S)[^\p{C}]+$/u, 'must be readable text');
const person = z.strictObject({ name: readable(60), role: roleSchema });
/** `roundId`: the round on the operator's page when the act was given, null when it showed none. A stale page cannot act. */
const plain = z.strictObject({ by: person, roundId: z.string().min(1).max(64).nullable() });
const withReason = plain.extend({ reason: readable(200) });
/** `holdNumber`: the hold on the page (`hold.holdNumber` of the table). One who looked at an earlier hold cannot end this one. */
const ofHold = plain.extend({ holdNumber: z.int().min(1) });
const withSecond = withReason.extend({ second: person.nullable().default(null) });

const doneSchema = z.object({ kind: z.literal('done'), seq: z.number().int() });
const responses = { 200: doneSchema, 400: errorViewSchema, 403: errorViewSchema, 409: errorViewSchema, 415: errorViewSchema };

/** Operator acts. Accepted from this machine only, until pages with logins exist; the table decides whether the act fits the moment. */
export function actRoutes(server: ApiServer, parts: ApiParts): void {
  const options = <Body extends z.ZodType>(summary: string, body: Body) => ({
    onRequest: loopbackOnly,
    schema: { summary, body, response: responses },
  });

  /** Puts the act into the table's queue and answers once it is on disk or refused. */
  async function take(act: Act): Promise<z.infer<typeof doneSchema>> {
    const outcome = await parts.table.act(act);
    if (outcome.kind === 'refused') throw new ApiError(refusalCode(outcome.cause));
    return { kind: 'done', seq: parts.table.head.recordNumber };
  }

  server.post('/api/acts/open', options('Opens a round', plain), ({ body }) => take({ kind: 'open', ...body }));
  server.post('/api/acts/close-betting', options('Closes betting early', plain), ({ body }) =>
    take({ kind: 'closeBetting', ...body }),
  );
  server.post('/api/acts/shake', options('Orders the shake', plain), ({ body }) => take({ kind: 'shake', ...body }));
  server.post('/api/acts/hold', options('Holds the table', withReason), ({ body }) => take({ kind: 'hold', ...body }));
  server.post('/api/acts/resume', options('Goes on after a hold', ofHold), ({ body }) => take({ kind: 'resume', ...body }));
  server.post('/api/acts/void', options('Ends the round without a result', withSecond), ({ body }) =>
    take({ kind: 'void', ...body }),
  );
  server.post('/api/acts/unlock', options('Clears a fault lock', withSecond), ({ body }) => take({ kind: 'unlock', ...body }));
}
