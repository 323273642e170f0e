import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { groupName, mayReadAndWrite, userName } from './account.ts';
import { type Finding, ok, problem, warning } from './finding.ts';
import { programsHolding } from './programs-holding.ts';

/** What stands at the configured path. `realPath` is null when it is no use to open it. */
export interface SerialPortFindings {
  readonly findings: readonly Finding[];
  readonly realPath: string | null;
}

const stableNames = '/dev/serial/by-id';
const check = 'shaker port';

/** Looks at the serial port without opening it: opening resets boards that are wired for it. */
export async function checkSerialPort(path: string): Promise<SerialPortFindings> {
  const bad = (finding: Finding): SerialPortFindings => ({ findings: [finding], realPath: null });
  const link = await lstat(path).catch((error: NodeJS.ErrnoException) => error.code ?? 'unknown');
  if (typeof link === 'string') return bad(await notThere(path, link));
  const realPath = await realpath(path).catch(() => null);
  const device = realPath === null ? null : await stat(realPath).catch(() => null);
  if (realPath === null || device === null) {
    const advice =
      'the shaker is unplugged or without power: check cable and supply; the table finds it by itself when it is back';
    return bad(problem(check, `${path} is a link to a device that is not there`, advice));
  }
  if (!device.isCharacterDevice()) {
    const kind = device.isDirectory() ? 'a folder' : 'no device';
    return bad(problem(check, `${path} is ${kind}, a serial port is needed`, await otherPaths()));
  }
  if (!(await mayReadAndWrite(realPath))) return bad(await denied(realPath, device));
  const holders = await programsHolding(realPath);
  const findings = [await named(path, realPath)];
  if (holders.length > 0) {
    const advice =
      'two programs on one serial line steal each other’s bytes: end the other one (ModemManager: a udev rule with ENV{ID_MM_DEVICE_IGNORE}="1")';
    findings.push(warning('shaker line', `also open in ${holders.join(', ')}`, advice));
  }
  return { findings, realPath };
}

async function notThere(path: string, code: string): Promise<Finding> {
  if (code === 'EACCES') return problem(check, `${path} cannot be looked at (EACCES)`, `give ${userName()} access to its folder`);
  return problem(check, `${path} does not exist`, `connect the shaker and switch it on. ${await otherPaths()}`);
}

async function otherPaths(): Promise<string> {
  const names = await readdir(stableNames).catch(() => []);
  if (names.length === 0) return `Set shaker.path to its link under ${stableNames}; that folder is empty at the moment`;
  return `Set shaker.path to one of: ${names.map((name) => join(stableNames, name)).join(', ')}`;
}

/** By whom the device may be used: as Debian sets it up, by the group dialout. */
async function denied(realPath: string, device: { readonly gid: number; readonly mode: number }): Promise<Finding> {
  const group = (await groupName(device.gid)) ?? `gid ${device.gid}`;
  const mode = (device.mode & 0o777).toString(8).padStart(4, '0');
  const detail = `${userName()} may not read and write ${realPath} (group ${group}, mode ${mode})`;
  const isForGroup = (device.mode & 0o060) === 0o060 && device.gid !== 0;
  const advice = isForGroup
    ? `add the user to the group ${group}: sudo usermod -aG ${group} ${userName()}, then log in again`
    : `let a udev rule give the device to the group dialout: SUBSYSTEM=="tty", GROUP="dialout", MODE="0660"; then: sudo usermod -aG dialout ${userName()}, and log in again`;
  return problem(check, detail, advice);
}

/** Names like ttyUSB0 are given in the order of arrival and may be another device's after a re-plug (failures.md SER-01). */
async function named(path: string, realPath: string): Promise<Finding> {
  const detail = path === realPath ? path : `${path}, now ${realPath}`;
  if (!/^\/dev\/tty(USB|ACM)\d+$/.test(path)) return ok(check, detail);
  for (const name of await readdir(stableNames).catch(() => [])) {
    const stable = join(stableNames, name);
    if ((await realpath(stable).catch(() => null)) === realPath)
      return warning(
        check,
        `${detail}: this name may change when the shaker is plugged in again`,
        `set shaker.path to ${stable}`,
      );
  }
  return warning(
    check,
    `${detail}: this name may change when the shaker is plugged in again`,
    'give it a lasting name by a udev rule with SYMLINK+="sicbo-shaker"',
  );
}
