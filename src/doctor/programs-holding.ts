import { readdir, readFile, readlink } from 'node:fs/promises';

/** Programs other than this one that have the file open, as "ModemManager (process 812)". Sees the programs of this user, all of them as root.
 *  @param realPath absolute, links resolved. */
export async function programsHolding(realPath: string): Promise<readonly string[]> {
  const found: string[] = [];
  const processIds = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of processIds) {
    if (Number(id) === process.pid || !(await isHolding(id, realPath))) continue;
    const name = (await readFile(`/proc/${id}/comm`, 'utf8').catch(() => '')).trim();
    found.push(`${name === '' ? 'a program' : name} (process ${id})`);
  }
  return found;
}

async function isHolding(processId: string, realPath: string): Promise<boolean> {
  const folder = `/proc/${processId}/fd`;
  const descriptors = await readdir(folder).catch(() => []);
  const targets = await Promise.all(descriptors.map((each) => readlink(`${folder}/${each}`).catch(() => '')));
  return targets.includes(realPath);
}
