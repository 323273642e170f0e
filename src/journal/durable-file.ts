import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Puts the bytes at `path` so that after a power cut the file is there whole, or as it was before: written beside it, synced, renamed, folder
 *  synced. The folder must exist. One writer per path at a time. On failure nothing is left behind and the cause is thrown as node gives it. */
export function writeDurably(path: string, bytes: Buffer | string, mode = 0o644): void {
  const newPath = `${path}.new`;
  try {
    // A file left by a power cut may carry another mode; 0600 of the key must hold from the first byte.
    rmSync(newPath, { force: true });
    const descriptor = openSync(newPath, 'wx', mode);
    try {
      const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
      for (let offset = 0; offset < buffer.length; ) offset += writeSync(descriptor, buffer, offset);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(newPath, path);
    syncFolder(dirname(path));
  } catch (error) {
    rmSync(newPath, { force: true });
    throw error;
  }
}

/** Makes what was created, renamed or removed in the folder survive a power cut. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Makes the folder and its parents, each durable; does nothing when it is there. */
export function makeFolderDurably(folder: string): void {
  const firstMade = mkdirSync(folder, { recursive: true });
  if (firstMade === undefined) return;
  for (let made = folder; made.length >= firstMade.length; made = dirname(made)) syncFolder(dirname(made));
}
