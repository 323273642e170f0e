import { type Finding, ok, problem } from './finding.ts';

/** Compares this Node with `engines` of package.json. Newer majors deliver serial data late (node-serialport issue 3148).
 *  @param version e.g. "20.20.2". @param range of the form ">=20.11 <26.4". */
export function checkNode(version: string, range: string): Finding {
  const [, low, high] = /^>=([\d.]+) <([\d.]+)$/.exec(range) ?? [];
  const isSupported = low !== undefined && high !== undefined && !isBelow(version, low) && isBelow(version, high);
  const detail = `Node ${version}, supported are ${range}`;
  return isSupported ? ok('node', detail) : problem('node', detail, 'install Node 20 and start the table with it');
}

function isBelow(a: string, b: string): boolean {
  const [x, y] = [parts(a), parts(b)];
  for (let i = 0; i < 3; i += 1) if ((x[i] ?? 0) !== (y[i] ?? 0)) return (x[i] ?? 0) < (y[i] ?? 0);
  return false;
}

function parts(version: string): readonly number[] {
  return version.split('.').map(Number);
}
