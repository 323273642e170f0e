import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { ApiServer } from '../api-parts.ts';
import { ApiError } from '../errors.ts';

/** Pages may load from this server only and run no inline script; no other site may frame them. */
const contentSecurityPolicy =
  "default-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/** The built pages. @param webRoot folder with `index.html` and `assets/`; without it the pages answer `web.not-built`. */
export async function pageRoutes(server: ApiServer, webRoot: string): Promise<void> {
  const isBuilt = existsSync(join(webRoot, 'index.html'));
  server.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/display'));
  if (!isBuilt) {
    server.get('/display', { schema: { hide: true } }, async () => {
      throw new ApiError('web.not-built');
    });
    return;
  }
  await server.register(fastifyStatic, {
    root: join(webRoot, 'assets'),
    prefix: '/assets/',
    // File names carry a hash of their content.
    immutable: true,
    maxAge: '1y',
    index: false,
  });
  server.get('/display', { schema: { hide: true } }, async (_request, reply) => {
    reply.header('content-security-policy', contentSecurityPolicy);
    return reply.sendFile('index.html', webRoot, { cacheControl: false });
  });
}
