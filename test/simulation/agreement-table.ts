import { once } from 'node:events';
import Database from 'better-sqlite3';
import { SimDiceReader } from '../../hardware-sim/sim-dice-reader.ts';
import { SimFrames } from '../../hardware-sim/sim-frames.ts';
import { SimLamps } from '../../hardware-sim/sim-lamps.ts';
import { SimShaker } from '../../hardware-sim/sim-shaker.ts';
import { SimTray } from '../../hardware-sim/sim-tray.ts';
import type { FeedMessage } from '../../src/api/views.ts';
import { type BuiltTable, buildTable } from '../../src/build-table.ts';
import type { TableConfig } from '../../src/config/table-config.ts';
import type { RefusalCause } from '../../src/core/judging/reading.ts';
import type { TableEvent } from '../../src/core/round/events.ts';
import type { Dice } from '../../src/core/rules/dice.ts';
import { silentLog } from '../../src/ports/log.ts';
import { connectFeed, type FeedClient } from '../api/feed-client.ts';
import { VirtualClock } from '../virtual-clock.ts';

/** A whole table in virtual time whose journal is a real file and whose server really listens: all that a display, an auditor and a lamp can see of it. */
export interface AgreementTable {
  readonly clock: VirtualClock;
  readonly shaker: SimShaker;
  readonly tray: SimTray;
  readonly lamps: SimLamps;
  readonly built: BuiltTable;
  readonly feed: FeedClient;
  /** Address of its server. */
  readonly address: string;
  /** The first message of a display that connects now. */
  snapshot(): Promise<FeedMessage>;
  /** Advances until it is so. @throws Error when it is not within two minutes of virtual time. */
  until(isSo: () => boolean): Promise<void>;
  /** Resolves when the listener has everything that is on disk. */
  heardAll(): Promise<void>;
  /** GET from the server without a socket. @throws Error unless it is answered with 200. */
  get<Answer>(path: string): Promise<Answer>;
  /** Events of a round as they stand in the file, read by SQLite alone, oldest first, with their record numbers. */
  fileEvents(roundId: string): readonly { readonly recordNumber: number; readonly event: TableEvent }[];
  stop(): Promise<void>;
}

/** Opens the table; `wallStartMs` goes on where the last boot ended. */
export async function openAgreementTable(
  config: TableConfig,
  nextThrow: () => Dice | RefusalCause,
  wallStartMs?: number,
): Promise<AgreementTable> {
  const clock = new VirtualClock(wallStartMs);
  const shaker = new SimShaker({ clock, tumbleMs: 150 });
  const tray = new SimTray({ clock, shaker, nextThrow });
  const lamps = new SimLamps();
  const devices = {
    clock,
    shaker,
    frames: new SimFrames({ clock, frameRate: 30, picture: () => tray.picture() }),
    reader: new SimDiceReader(),
    lamps,
    surroundings: { diskProblem: () => null, isClockSynchronised: () => true },
  };
  const built = await buildTable(config, devices, 'test', silentLog, (error) => {
    throw error;
  });
  const address = await built.start();
  const feed = connectFeed(address, '?snapshot=1');
  const db = new Database(config.journal.path, { readonly: true });
  const select = db.prepare<[string], { record_number: number; body: string }>(
    'SELECT record_number, body FROM events WHERE round_id = ? ORDER BY record_number',
  );
  const heardAll = async (): Promise<void> => {
    while ((feed.messages.at(-1)?.seq ?? -1) < built.table.head.recordNumber) await once(feed.socket, 'message');
  };
  await heardAll();
  return {
    clock,
    shaker,
    tray,
    lamps,
    built,
    feed,
    address,
    async snapshot() {
      const { socket } = connectFeed(address, '?snapshot=1');
      const [data] = await once(socket, 'message');
      socket.terminate();
      return JSON.parse(String(data)) as FeedMessage;
    },
    heardAll,
    until: (isSo) => clock.advanceUntil(isSo, 120_000),
    async get(path) {
      const response = await built.server.app.inject({ method: 'GET', url: path });
      if (response.statusCode !== 200) throw new Error(`GET ${path}: ${response.statusCode} ${response.body}`);
      return response.json();
    },
    fileEvents: (roundId) =>
      select
        .all(roundId)
        .map(({ record_number, body }) => ({ recordNumber: record_number, event: JSON.parse(body) as TableEvent })),
    async stop() {
      db.close();
      await built.stop('SIGTERM');
    },
  };
}
