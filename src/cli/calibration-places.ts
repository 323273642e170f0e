import { dirname, join } from 'node:path';
import { CalibrationArchive } from '../../calibration/archive.ts';
import { loadConfig } from '../config/load-config.ts';
import type { TableConfig } from '../config/table-config.ts';

/** Where the calibrations of a table lie: a folder `calibrations` beside the file that the table reads. */
export function archiveFolderOf({ camera }: Pick<TableConfig, 'camera'>): string {
  return join(dirname(camera.calibrationFile), 'calibrations');
}

/** The calibrations of the table of a `table.toml`. @throws InputError `config.*`. */
export function archiveOf(config: TableConfig): CalibrationArchive {
  return new CalibrationArchive(archiveFolderOf(config), config.camera.calibrationFile);
}

/** @throws InputError `config.*`. */
export function archiveOfFile(configFile: string): CalibrationArchive {
  return archiveOf(loadConfig(configFile));
}
