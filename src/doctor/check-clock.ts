import { clockSynchronisedFiles } from '../devices/clock-synchronised.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Whether a time server has set the wall clock since this boot. @param isSynchronised the table's own word. */
export function checkClock(isSynchronised: boolean, wallMs: number): Finding {
  const now = new Date(wallMs).toISOString();
  if (isSynchronised) return ok('clock', `${now}, set by a time server`);
  const detail = `${now}, and nothing says that a time server has set it (looked for ${clockSynchronisedFiles.join(' and ')})`;
  return warning(
    'clock',
    detail,
    'sudo timedatectl set-ntp true; with chrony see src/devices/clock-synchronised.ts. Records are marked until then',
  );
}
