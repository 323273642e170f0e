import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';
import type { EvidenceStore } from '../ports/journal.ts';
import { makeFolderDurably, writeDurably } from './durable-file.ts';

/** What `prune` did. */
export interface PruneReport {
  readonly removedCount: number;
  /** Bytes in the store afterwards. Above the quota only when what must be kept alone is larger. */
  readonly keptBytes: number;
}

/** Pictures as files `ab/cd/<sha256>.jpg` (the first four digits of the hash name the folders), so that any program can show and hash them. */
export class EvidenceFiles implements EvidenceStore {
  readonly folder: string;
  readonly #bytesMax: number;

  /** @param quotaMb Size above which `prune` removes the oldest pictures, MB of 1,000,000 bytes; at least 1. */
  constructor(folder: string, quotaMb: number) {
    this.folder = folder;
    this.#bytesMax = quotaMb * 1_000_000;
  }

  keep(jpeg: Buffer): string {
    const sha256 = createHash('sha256').update(jpeg).digest('hex');
    const path = this.#path(sha256);
    try {
      // A damaged file is replaced: the bytes at hand are the right ones.
      if (existsSync(path) && hashOf(readFileSync(path)) === sha256) return sha256;
      makeFolderDurably(join(this.folder, sha256.slice(0, 2), sha256.slice(2, 4)));
      writeDurably(path, jpeg);
      return sha256;
    } catch (error) {
      const size = `${jpeg.length} bytes`;
      throw new StorageError('evidence.unwritable', `${size} of evidence cannot be written to ${path}: ${String(error)}`, {
        cause: error,
      });
    }
  }

  read(sha256: string): Buffer | null {
    // The name may come from outside; anything but a hash could leave the folder.
    if (!/^[0-9a-f]{64}$/.test(sha256)) return null;
    const path = this.#path(sha256);
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new StorageError('evidence.damaged', `${path} cannot be read: ${String(error)}`, { cause: error });
    }
    const found = hashOf(bytes);
    if (found !== sha256)
      throw new StorageError('evidence.damaged', `${path} has hash ${found}: it is not the picture that was kept`);
    return bytes;
  }

  /** Removes pictures, oldest first, until the store is within its quota. Never removes one in `keepSha256`, nor one younger than a minute, whose
   *  round may not have named it yet. Does not block the table; one call at a time.
   *  @throws StorageError `evidence.unwritable`. */
  async prune(keepSha256: ReadonlySet<string>, nowMs: number): Promise<PruneReport> {
    try {
      const files = await listFiles(this.folder);
      let keptBytes = files.reduce((sum, file) => sum + file.byteCount, 0);
      let removedCount = 0;
      for (const file of files.sort((a, b) => a.modifiedMs - b.modifiedMs)) {
        if (keptBytes <= this.#bytesMax) break;
        if (keepSha256.has(file.sha256) || nowMs - file.modifiedMs < 60_000) continue;
        await rm(file.path, { force: true });
        keptBytes -= file.byteCount;
        removedCount += 1;
      }
      return { removedCount, keptBytes };
    } catch (error) {
      throw new StorageError('evidence.unwritable', `the evidence in ${this.folder} cannot be pruned: ${String(error)}`, {
        cause: error,
      });
    }
  }

  #path(sha256: string): string {
    return join(this.folder, sha256.slice(0, 2), sha256.slice(2, 4), `${sha256}.jpg`);
  }
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

interface EvidenceFile {
  readonly path: string;
  readonly sha256: string;
  readonly byteCount: number;
  readonly modifiedMs: number;
}

async function listFiles(folder: string): Promise<EvidenceFile[]> {
  if (!existsSync(folder)) return [];
  const files: EvidenceFile[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const sha256 = /^([0-9a-f]{64})\.jpg$/.exec(entry.name)?.[1];
    if (sha256 === undefined || !entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { size, mtimeMs } = await stat(path);
    files.push({ path, sha256, byteCount: size, modifiedMs: mtimeMs });
  }
  return files;
}
