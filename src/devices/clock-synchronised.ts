import { existsSync } from 'node:fs';

/** Files whose existence says that the wall clock was set from the network or a receiver since this boot; `/run` is empty after a boot. The first is
 *  systemd-timesyncd's own (systemd-timesyncd.service(8)). The second is for machines with another time service: let it be made when that service
 *  has synchronised, for chrony by `ExecStartPost=/usr/bin/touch /run/sicbo-clock-synchronised` in a drop-in of `chrony-wait.service`. */
export const clockSynchronisedFiles: readonly string[] = ['/run/systemd/timesync/synchronized', '/run/sicbo-clock-synchronised'];

/** True when the wall clock can be believed. On false the table plays on and marks its records, since order and durations never come from the
 *  wall clock (failures.md DB-06). Costs a few microseconds, so it can be asked for every append.
 *  @param files Any one of them is enough. */
export function isClockSynchronised(files: readonly string[] = clockSynchronisedFiles): boolean {
  return files.some((file) => existsSync(file));
}
