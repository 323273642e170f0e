import { createHash } from 'node:crypto';
import { StorageError } from '../../src/errors.ts';
import type { EvidenceStore } from '../../src/ports/journal.ts';

/** Pictures in memory. `isUnwritable` simulates a full disk. */
export class MemoryEvidence implements EvidenceStore {
  readonly pictures = new Map<string, Buffer>();
  isUnwritable = false;

  keep(jpeg: Buffer): string {
    if (this.isUnwritable) throw new StorageError('evidence.unwritable', 'the memory evidence was made unwritable');
    const sha256 = createHash('sha256').update(jpeg).digest('hex');
    this.pictures.set(sha256, jpeg);
    return sha256;
  }

  read(sha256: string): Buffer | null {
    return this.pictures.get(sha256) ?? null;
  }
}
