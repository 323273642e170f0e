import { z } from 'zod';
import { isBlocking } from '../../core/round/faults.ts';
import type { ApiParts, ApiServer, PresentView } from '../api-parts.ts';
import { type HealthView, healthViewSchema, houseViewSchema, phaseSchema, tableViewSchema } from '../views.ts';

function statusOf(parts: ApiParts): HealthView['status'] {
  const { state, standingFaults } = parts.table;
  if (state.isStopped) return 'stopped';
  if (state.lock !== null) return 'locked';
  if (standingFaults.some(isBlocking)) return 'blocked';
  return standingFaults.length > 0 ? 'degraded' : 'ok';
}

/** The table now: liveness, health of its devices, snapshot, house. */
export function tableRoutes(
  server: ApiServer,
  parts: ApiParts,
  view: PresentView,
  feedCounters: () => Readonly<Record<string, number>>,
): void {
  const livenessSchema = z.object({ status: healthViewSchema.shape.status, phase: phaseSchema });
  server.get(
    '/healthz',
    { schema: { summary: 'Answers as long as the process serves', response: { 200: livenessSchema } } },
    async () => ({ status: statusOf(parts), phase: parts.table.state.phase }),
  );
  server.get(
    '/api/health',
    { schema: { summary: 'Devices, standing faults and counters', response: { 200: healthViewSchema } } },
    async () => ({
      status: statusOf(parts),
      phase: parts.table.state.phase,
      head: { ...parts.table.head },
      standingFaults: parts.table.standingFaults.map((code) => ({ code, isBlocking: isBlocking(code) })),
      devices: parts.table.health().map((device) => ({ ...device, counters: { ...device.counters } })),
      refusedCounts: { ...parts.table.refusedCounts },
      feed: { ...feedCounters() },
    }),
  );
  server.get(
    '/api/table',
    {
      schema: {
        summary: 'The table as it is now, with the record number it reflects',
        response: { 200: z.object({ seq: z.number().int(), table: tableViewSchema }) },
      },
    },
    async () => ({ seq: parts.table.head.recordNumber, table: view() }),
  );
  server.get(
    '/api/house',
    { schema: { summary: 'Zones, labels, prices and returns of the house in force', response: { 200: houseViewSchema } } },
    async () => parts.house,
  );
}
