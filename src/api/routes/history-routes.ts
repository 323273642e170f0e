import { z } from 'zod';
import { boardRoundCountMax } from '../../core/statistics/board.ts';
import type { ApiParts, ApiServer } from '../api-parts.ts';
import { EndedRounds } from '../ended-rounds.ts';
import { ApiError } from '../errors.ts';
import { roundView, statisticsView } from '../history-view.ts';
import { errorViewSchema, historyViewSchema, roundViewSchema, statisticsViewSchema } from '../views.ts';

/** Rounds on one page of the history at most. */
const pageRoundsMax = 200;

/** What the journal keeps: ended rounds, every step of one round, the pictures, and counts over the last 50. */
export function historyRoutes(server: ApiServer, parts: ApiParts): void {
  const ended = new EndedRounds(parts.journal);
  server.get(
    '/api/history',
    {
      schema: {
        summary: 'Ended rounds, newest first',
        querystring: z.strictObject({
          limit: z.coerce.number().int().min(1).max(pageRoundsMax).default(50),
          before: z.coerce.number().int().min(1).optional(),
        }),
        response: { 200: historyViewSchema, 400: errorViewSchema },
      },
    },
    async ({ query: { limit, before } }) => {
      const rounds = ended.rows(limit, before === undefined ? {} : { beforeRecordNumber: before });
      return { rounds: [...rounds], nextBefore: rounds.length < limit ? null : (rounds.at(-1)?.recordNumber ?? null) };
    },
  );
  server.get(
    '/api/rounds/:roundId',
    {
      schema: {
        summary: 'One round with all its steps, also in a fault state',
        params: z.object({ roundId: z.string().min(1).max(64) }),
        response: { 200: roundViewSchema, 400: errorViewSchema, 404: errorViewSchema },
      },
    },
    async ({ params: { roundId } }) => {
      const records = parts.journal.roundRecords(roundId);
      if (records.length === 0) throw new ApiError('api.round-unknown');
      return roundView(roundId, records);
    },
  );
  server.get(
    '/api/evidence/:sha256',
    {
      schema: {
        summary: 'The picture that the camera delivered, by the SHA-256 of its bytes (image/jpeg)',
        params: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/, '64 lower-case hex digits') }),
        response: { 200: z.unknown().describe('image/jpeg'), 400: errorViewSchema, 404: errorViewSchema, 500: errorViewSchema },
      },
    },
    async ({ params: { sha256 } }, reply) => {
      // No picture of dice under a cover is ever stored, so whatever is kept may be shown.
      const jpeg = parts.evidence.read(sha256);
      if (jpeg === null) throw new ApiError('api.evidence-unknown');
      // The name is the hash of the content: it can never change.
      reply.header('cache-control', 'public, max-age=31536000, immutable').header('etag', `"${sha256}"`).type('image/jpeg');
      return reply.send(jpeg);
    },
  );
  server.get(
    '/api/statistics',
    { schema: { summary: 'Counts over the last 50 settled rounds', response: { 200: statisticsViewSchema } } },
    async () => statisticsView(ended.rows(boardRoundCountMax, { isSettledOnly: true })),
  );
}
