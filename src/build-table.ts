import { randomBytes } from 'node:crypto';
import { buildServer, type TableServer } from './api/build-server.ts';
import { houseView } from './api/house-view.ts';
import { loadHouse } from './config/load-house.ts';
import type { TableConfig } from './config/table-config.ts';
import { applyEvent } from './core/round/apply-event.ts';
import { initialState } from './core/round/initial-state.ts';
import type { Round } from './core/round/state.ts';
import { type House, winningZones } from './core/rules/house.ts';
import { InputError } from './errors.ts';
import { EvidenceKeeper } from './journal/evidence-keeper.ts';
import { openJournal } from './journal/open-journal.ts';
import type { Clock } from './ports/clock.ts';
import type { DiceReader } from './ports/dice-reader.ts';
import type { FrameSource } from './ports/frame-source.ts';
import type { Lamps } from './ports/lamps.ts';
import type { Log } from './ports/log.ts';
import type { Shaker } from './ports/shaker.ts';
import type { Surroundings } from './runtime/device-watch.ts';
import { RunningTable, type TableParts } from './runtime/running-table.ts';

/** The machine around the daemon. */
export interface TableDevices {
  readonly clock: Clock;
  readonly shaker: Shaker;
  readonly frames: FrameSource;
  readonly reader: DiceReader;
  readonly lamps: Lamps;
  readonly surroundings: Surroundings;
}

/** A table with its journal and its server, ready to start. */
export interface BuiltTable {
  readonly table: RunningTable;
  readonly server: TableServer;
  /** Starts the table, then listens. @returns the address of the server. @throws the system's error when the port is taken; all is stopped by then. */
  start(): Promise<string>;
  /** Ends round and devices, then listeners, then closes the journal. */
  stop(signal: string): Promise<void>;
}

/** Opens and checks the journal, rebuilds the state from it, and composes table and server around the devices. Touches no device yet.
 *  @param onFailure see `TableParts`.
 *  @throws StorageError `journal.*` when the journal is damaged or in use: the table stays closed and a person must act. */
export async function buildTable(
  config: TableConfig,
  devices: TableDevices,
  softwareVersion: string,
  log: Log,
  onFailure: TableParts['onFailure'],
): Promise<BuiltTable> {
  const bootId = randomBytes(8).toString('hex');
  const evidence = new EvidenceKeeper(config.journal.evidenceFolder, config.journal.evidenceMbMax, log);
  let past = { state: initialState(config.table.id), recordNumber: 0 };
  const journal = openJournal({
    journalPath: config.journal.path,
    anchorFolder: config.journal.anchorFolder,
    tableId: config.table.id,
    bootId,
    isClockSynchronised: () => devices.surroundings.isClockSynchronised(),
    at: devices.clock.now(),
    onRecord: (record) => {
      past = { state: applyEvent(past.state, record.event, record.at), recordNumber: record.recordNumber };
      evidence.take(record);
    },
  });
  const houses = housesInPlay(config, past.state.round);
  const houseOf = (houseId: string): House => {
    const house = houses.get(houseId);
    if (house === undefined) throw new InputError('house.unknown', `no house ${houseId} was loaded`);
    return house;
  };
  const table = new RunningTable({
    ...devices,
    tableId: config.table.id,
    houseId: config.house.id,
    play: config.play,
    houseSha256: (houseId) => houseOf(houseId).sha256,
    winningZones: (dice, houseId) => winningZones(dice, houseOf(houseId)).map(({ zone }) => zone),
    past,
    journal,
    evidence,
    log,
    bootId,
    softwareVersion,
    configSha256: config.sha256,
    onFailure,
  });
  table.onAppended((records) => {
    for (const record of records) evidence.take(record);
  });
  const house = houseView(config.house, config.api.displayLanguage);
  const { heartbeatMs, listenersMax } = config.api;
  const server = await buildServer(
    { table, journal, evidence, house, tableName: config.table.name },
    { log, feed: { heartbeatMs, listenersMax } },
  );
  const stop = async (signal: string): Promise<void> => {
    await table.stop(signal);
    evidence.stop();
    await server.close();
    journal.close();
  };
  return {
    table,
    server,
    async start() {
      try {
        await table.start();
        evidence.start(devices.clock);
        return await server.listen({ host: config.api.host, port: config.api.port });
      } catch (error) {
        // A table that nobody can reach or hold must not play.
        await stop('start-failed');
        throw error;
      }
    },
    stop,
  };
}

/** The configured house, and the one that an open round was begun with before the configuration changed: that round is paid by its own house.
 *  @throws InputError `house.*` when that house is not there any more: the table stays closed until it is. */
function housesInPlay(config: TableConfig, round: Round | null): ReadonlyMap<string, House> {
  const houses = new Map([[config.house.id, config.house]]);
  if (round !== null && round.end === null && !houses.has(round.houseId)) houses.set(round.houseId, loadHouse(round.houseId));
  return houses;
}
