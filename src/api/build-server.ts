import { join } from 'node:path';
import fastifySwagger from '@fastify/swagger';
import fastify, { type FastifyError } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { TableError } from '../errors.ts';
import { type Log, silentLog } from '../ports/log.ts';
import { productRoot } from '../product-root.ts';
import type { ApiParts, ApiServer } from './api-parts.ts';
import { type ApiErrorCode, apiErrors } from './errors.ts';
import { Feed } from './feed.ts';
import { defaultFeedLimits, type FeedLimits } from './feed-limits.ts';
import { FeedMessages } from './feed-messages.ts';
import { actRoutes } from './routes/act-routes.ts';
import { historyRoutes } from './routes/history-routes.ts';
import { pageRoutes } from './routes/page-routes.ts';
import { tableRoutes } from './routes/table-routes.ts';
import { tableView } from './table-view.ts';

/** Connections beside those of listeners. Every connection takes a file descriptor, and the table needs its own for journal and evidence. */
const plainConnectionsMax = 256;

export interface ServerOptions {
  readonly feed?: Partial<FeedLimits>;
  /** Folder of the built pages; `dist/web` of the product when not given. */
  readonly webRoot?: string;
  readonly log?: Log;
}

export interface TableServer {
  /** For `inject`, and for plugins of later pages before `listen`. */
  readonly app: ApiServer;
  readonly feed: Feed;
  /** @param port 0 takes a free one. @returns the address, e.g. `http://127.0.0.1:8080`. @throws the system's error (EADDRINUSE …). */
  listen(options: { readonly host: string; readonly port: number }): Promise<string>;
  /** Ends within 2 s whoever is still connected. */
  close(): Promise<void>;
}

/** Builds the HTTP API and the feed around a running table; nothing listens until `listen`. */
export async function buildServer(parts: ApiParts, options: ServerOptions = {}): Promise<TableServer> {
  const log = options.log ?? silentLog;
  const limits: FeedLimits = { ...defaultFeedLimits, ...options.feed };
  const view = () =>
    tableView(parts.table.state, {
      tableName: parts.tableName,
      houseId: parts.house.houseId,
      standingFaults: parts.table.standingFaults,
      remainingMs: parts.table.remainingMs(),
    });
  const app: ApiServer = fastify({
    logger: false,
    trustProxy: false,
    bodyLimit: 8_192,
    // A caller that dribbles its request holds a socket for 10 s at most.
    requestTimeout: 10_000,
    keepAliveTimeout: 10_000,
    forceCloseConnections: true,
    // While it closes the table still answers, in its own words; fastify's 503 would be an error that no document names.
    return503OnClosing: false,
  }).withTypeProvider<ZodTypeProvider>();
  // Only JSON is taken: a form or a text/plain body could be sent by a page of another site without asking first.
  app.removeContentTypeParser('text/plain');
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  handleErrors(app, log);
  app.addHook('onSend', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff');
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });

  const messages = new FeedMessages(parts, view, limits);
  const feed = new Feed({ table: parts.table, messages, limits, log });
  app.addHook('preClose', () => feed.close());

  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Sic Bo table', version: '1', description: 'Errors: see ERRORS.md. Live events: WebSocket /feed.' },
    },
    transform: jsonSchemaTransform,
  });
  tableRoutes(app, parts, view, () => feed.counters);
  historyRoutes(app, parts);
  actRoutes(app, parts);
  await pageRoutes(app, options.webRoot ?? join(productRoot, 'dist', 'web'));
  app.get('/api/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  await app.ready();

  return {
    app,
    feed,
    async listen({ host, port }) {
      app.server.maxConnections = limits.listenersMax + plainConnectionsMax;
      feed.attach(app.server);
      return app.listen({ host, port });
    },
    close: () => app.close(),
  };
}

/** One shape for every error. A fault that lasts is logged at its first and then at every thousandth time. */
function handleErrors(app: ApiServer, log: Log): void {
  const seen = new Map<string, number>();
  const answer = (code: ApiErrorCode, problems: readonly string[] = []) => ({
    code,
    message: apiErrors[code].message,
    problems: [...problems],
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send(answer('api.not-found')));
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { code, problems } = classify(error);
    const { status } = apiErrors[code];
    if (status >= 500) {
      const count = (seen.get(code) ?? 0) + 1;
      seen.set(code, count);
      if (count % 1_000 === 1)
        log.error({ code, route: request.routeOptions.url, count, error: String(error) }, 'api: request failed');
    }
    return reply.code(status).send(answer(code, problems));
  });
}

function classify(error: FastifyError & { readonly problems?: readonly string[] }): {
  readonly code: ApiErrorCode;
  readonly problems: readonly string[];
} {
  if (error.validation !== undefined) {
    const place = (path: string) => `${error.validationContext ?? 'request'}${path}`;
    const problems = error.validation.map(({ instancePath, message }) => `${place(instancePath)}: ${message ?? 'wrong'}`);
    return { code: 'api.bad-request', problems };
  }
  if (error.code in apiErrors) return { code: error.code as ApiErrorCode, problems: error.problems ?? [] };
  if (error instanceof TableError) return { code: 'api.internal', problems: [] };
  if (error.statusCode === 413) return { code: 'api.too-large', problems: [] };
  if (error.statusCode === 415) return { code: 'api.unsupported-media', problems: [] };
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return { code: 'api.bad-request', problems: [error.message] };
  }
  return { code: 'api.internal', problems: [] };
}
