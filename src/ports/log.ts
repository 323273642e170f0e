/** Where the table writes what happened for technicians. Messages are constant, data goes into fields. `error`: a person must act;
 *  `warn`: recovered and counted; `info`: phases. pino's logger fits. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
  error(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Writes nothing; for tests and one-shot commands. */
export const silentLog: Log = { info() {}, warn() {}, error() {} };
