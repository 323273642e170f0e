import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { EvidenceStore, Journal } from '../ports/journal.ts';
import type { Table } from '../ports/table.ts';
import type { HouseView, TableView } from './views.ts';

/** What the routes and the feed may see of the product. */
export interface ApiParts {
  readonly table: Table;
  readonly journal: Pick<Journal, 'read' | 'roundRecords' | 'endedRounds'>;
  readonly evidence: Pick<EvidenceStore, 'read'>;
  /** The house in force. */
  readonly house: HouseView;
  /** What people call the table; shown on every page. */
  readonly tableName: string;
}

/** The table as it is now. */
export type PresentView = () => TableView;

/** fastify with zod schemas. */
export type ApiServer = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>;
