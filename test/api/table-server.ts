import { buildServer, type ServerOptions, type TableServer } from '../../src/api/build-server.ts';
import { houseView } from '../../src/api/house-view.ts';
import { loadHouse } from '../../src/config/load-house.ts';
import { StorageError } from '../../src/errors.ts';
import type { FakeTable } from './fake-table.ts';
import { pictureSha256 } from './played-rounds.ts';

export const damagedSha256 = 'dd'.repeat(32);

/** The API around a fake table. */
export function serverOf(table: FakeTable, options: ServerOptions = {}, houseId = 'live'): Promise<TableServer> {
  const evidence = {
    read(sha256: string): Buffer | null {
      if (sha256 === damagedSha256) throw new StorageError('evidence.damaged', 'bytes differ from their hash');
      return sha256 === pictureSha256 ? Buffer.from([0xff, 0xd8, 0xff, 0xd9]) : null;
    },
  };
  const parts = { table, journal: table.journal, evidence, house: houseView(loadHouse(houseId)), tableName: 'Table 7' };
  return buildServer(parts, options);
}
