import { createServer } from 'node:net';
import { type Finding, ok, problem } from './finding.ts';

/** Whether the server of the table could listen where the configuration says. Listens for a moment. */
export async function checkApiPort({ host, port }: { readonly host: string; readonly port: number }): Promise<Finding> {
  const place = `port ${port} of ${host}`;
  const code = await refusedListen(host, port);
  switch (code) {
    case null:
      return ok('api port', port === 0 ? `any free port of ${host}` : `${place} is free`);
    case 'EADDRINUSE':
      return problem(
        'api port',
        `${place} is taken`,
        `end the program that has it ("ss -ltnp sport = :${port}" shows it), or change api.port`,
      );
    case 'EACCES':
      return problem('api port', `${place} is not allowed to this user`, 'take a port from 1024 up');
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return problem(
        'api port',
        `this machine has no address ${host}`,
        'set api.host to 127.0.0.1, 0.0.0.0 or an address that "ip address" shows',
      );
    default:
      return problem('api port', `${place} cannot be listened on (${code})`, 'change api.host or api.port');
  }
}

function refusedListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)));
  });
}
