import type { RefusedCause } from '../ports/table.ts';

/** Every code that an answer of the API can carry, with its HTTP status (or WebSocket close code) and its constant sentence. `ERRORS.md`
 *  documents exactly these; a test compares both. Callers branch on `code`. */
export const apiErrors = {
  'api.bad-request': {
    status: 400,
    message: 'The request is not as the document describes; `problems` lists everything that is wrong.',
  },
  'api.not-loopback': { status: 403, message: 'Operator acts are accepted from this machine only.' },
  'api.cross-site': { status: 403, message: 'The request comes from a page of another site, or names another host.' },
  'api.not-found': { status: 404, message: 'There is nothing at this address.' },
  'api.round-unknown': { status: 404, message: 'The journal has no round with this id.' },
  'api.evidence-unknown': { status: 404, message: 'No picture with this SHA-256 is kept.' },
  'act.wrong-phase': { status: 409, message: 'The table is in a phase in which this act means nothing.' },
  'act.stale-round': { status: 409, message: 'The act names another round than the present one; the page is out of date.' },
  'act.stale-answer': { status: 409, message: 'The act answers a question that is no longer asked.' },
  'act.stale-hold': {
    status: 409,
    message: 'The act names another hold than the present one; look again at what holds the table.',
  },
  'act.not-allowed': { status: 409, message: 'This role may not do this now.' },
  'act.second-person-needed': { status: 409, message: 'Two different persons are needed, with the roles that the act asks for.' },
  'act.blocked-by-fault': { status: 409, message: 'A standing fault of a device forbids it.' },
  'act.locked': { status: 409, message: 'The table is locked until a technician and a supervisor clear it.' },
  'act.cap-reached': { status: 409, message: 'The cap on rounds an hour of unattended play is reached.' },
  'act.stopping': { status: 409, message: 'The table is about to stop.' },
  'act.order-jump': { status: 409, message: 'The order number lies too far above the last one of the journal.' },
  'act.unchanged': { status: 409, message: 'The table is already so; nothing was to do.' },
  'act.journal-unwritable': { status: 409, message: 'The journal cannot be written, so nothing was done.' },
  'api.too-large': { status: 413, message: 'The body is larger than 8 kB.' },
  'api.unsupported-media': { status: 415, message: 'The body must be application/json.' },
  'api.internal': { status: 500, message: 'A bug or a failed device; the log of the table has the detail.' },
  'evidence.damaged': { status: 500, message: 'The kept picture does not match its SHA-256 any more.' },
  'web.not-built': { status: 503, message: 'The pages were not built; run the build.' },
  'feed.full': { status: 503, message: 'The feed has as many listeners as it may have; try again later.' },
  'feed.bad-message': { status: 4400, message: 'The message is not a resume request, or not the first one.' },
  'feed.too-slow': { status: 4408, message: 'The listener does not take its messages fast enough.' },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type ApiErrorCode = keyof typeof apiErrors;

/** A request that cannot be served; the error handler turns it into status and body. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly problems: readonly string[];

  constructor(code: ApiErrorCode, problems: readonly string[] = []) {
    super(apiErrors[code].message);
    this.name = 'ApiError';
    this.code = code;
    this.status = apiErrors[code].status;
    this.problems = problems;
  }
}

/** The code by which an act's refusal leaves the table. */
export function refusalCode(cause: RefusedCause): ApiErrorCode {
  return `act.${cause}`;
}
