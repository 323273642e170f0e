import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StorageError } from '../errors.ts';
import { canonicalJson } from './canonical-json.ts';
import { makeFolderDurably, writeDurably } from './durable-file.ts';

/** What the table signed about its journal: record `recordNumber`, written at `wallMs`, exists and has `hash`. A journal that ends before it, or has
 *  another hash there, was cut or rewritten (failures.md rule 20). Records after the anchor are covered by the chain, not by the anchor. */
export interface Anchor {
  readonly journalId: string;
  readonly recordNumber: number;
  readonly hash: string;
  /** Wall clock of that record, ms since 1970. */
  readonly wallMs: number;
}

/** Files of the anchor folder. */
export const anchorFileNames = { anchor: 'anchor.json', privateKey: 'anchor-key.pem', publicKey: 'anchor-key.pub.pem' } as const;

/** The anchor in the folder, its signature checked; null when none was ever written.
 *  @throws StorageError `journal.anchor-damaged` when it is not the anchor that the table wrote, or its public key is missing. */
export function readAnchor(folder: string): Anchor | null {
  const path = join(folder, anchorFileNames.anchor);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StorageError('journal.anchor-damaged', `the anchor ${path} cannot be read: ${String(error)}`, { cause: error });
  }
  try {
    const { signature, ...rest } = JSON.parse(text) as Record<string, unknown>;
    const anchor = checkedAnchor(rest);
    const publicKey = createPublicKey(readFileSync(join(folder, anchorFileNames.publicKey)));
    const isGenuine =
      typeof signature === 'string' &&
      verify(null, Buffer.from(canonicalJson(anchor), 'utf8'), publicKey, Buffer.from(signature, 'base64'));
    if (!isGenuine) throw new Error('the signature does not fit its content');
    return anchor;
  } catch (error) {
    throw new StorageError('journal.anchor-damaged', `the anchor ${path} is not the one this table signed: ${String(error)}`, {
      cause: error,
    });
  }
}

function checkedAnchor(value: Record<string, unknown>): Anchor {
  const { journalId, recordNumber, hash, wallMs } = value;
  if (
    Object.keys(value).length !== 4 ||
    typeof journalId !== 'string' ||
    !Number.isSafeInteger(recordNumber) ||
    typeof hash !== 'string' ||
    typeof wallMs !== 'number'
  ) {
    throw new Error('it does not hold exactly journalId, recordNumber, hash, wallMs and signature');
  }
  return { journalId, recordNumber: recordNumber as number, hash, wallMs };
}

/** Signs anchors with the table's own Ed25519 key and puts them into a folder outside the journal's, at best on another disk. */
export class AnchorFile {
  readonly folder: string;
  readonly #privateKey: KeyObject;

  /** Makes the key pair (private part 0600) when the folder has neither key nor anchor.
   *  @throws StorageError `journal.anchor-key-missing` when an anchor exists without its private key: a new key must be a person's decision
   *  (`sicbo journal set-aside`). `journal.unwritable` when the folder or the keys cannot be made. */
  constructor(folder: string) {
    this.folder = folder;
    const privatePath = join(folder, anchorFileNames.privateKey);
    if (!existsSync(privatePath)) {
      if (existsSync(join(folder, anchorFileNames.anchor))) {
        throw new StorageError(
          'journal.anchor-key-missing',
          `${privatePath} is missing although the folder holds an anchor; put the key back from a backup or set the journal aside`,
        );
      }
      makeKeys(folder);
    }
    try {
      this.#privateKey = createPrivateKey(readFileSync(privatePath));
      // A power cut between both key files leaves the private one alone; the public one follows from it.
      const publicPath = join(folder, anchorFileNames.publicKey);
      if (!existsSync(publicPath)) writeDurably(publicPath, publicPem(this.#privateKey));
    } catch (error) {
      throw new StorageError('journal.anchor-key-missing', `the key ${privatePath} cannot be used: ${String(error)}`, {
        cause: error,
      });
    }
  }

  /** Replaces the anchor durably. Call it only with a head that is on the disk.
   *  @throws StorageError `journal.unwritable`; the anchor before it stays in force. */
  write(anchor: Anchor): void {
    const signature = sign(null, Buffer.from(canonicalJson(anchor), 'utf8'), this.#privateKey).toString('base64');
    const path = join(this.folder, anchorFileNames.anchor);
    try {
      writeDurably(path, `${canonicalJson({ ...anchor, signature })}\n`);
    } catch (error) {
      throw new StorageError('journal.unwritable', `the anchor ${path} cannot be written: ${String(error)}`, { cause: error });
    }
  }
}

function makeKeys(folder: string): void {
  try {
    makeFolderDurably(folder);
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeDurably(join(folder, anchorFileNames.privateKey), pem, 0o600);
    writeDurably(join(folder, anchorFileNames.publicKey), publicPem(privateKey));
  } catch (error) {
    throw new StorageError('journal.unwritable', `the anchor key cannot be made in ${folder}: ${String(error)}`, {
      cause: error,
    });
  }
}

function publicPem(privateKey: KeyObject): Buffer {
  return Buffer.from(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
}
