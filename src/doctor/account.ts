import { access, constants, readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';

/** Name of the user that runs this program, or "uid 1234" where the machine knows no name. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Name of the group by /etc/group; null when it is not there. */
export async function groupName(gid: number): Promise<string | null> {
  const lines = (await readFile('/etc/group', 'utf8').catch(() => '')).split('\n');
  return lines.map((line) => line.split(':')).find(([, , id]) => Number(id) === gid)?.[0] ?? null;
}

/** Whether this user may read and write the file or folder, by the kernel's own word. */
export async function mayReadAndWrite(path: string): Promise<boolean> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
