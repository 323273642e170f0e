import { spawnSync } from 'node:child_process';
import { closeSync, openSync, read, writeSync } from 'node:fs';
import { constants } from 'node:os';
import type { Errno } from './gpio-model.ts';

/** Small text files whose reads and writes are answered by code, as sysfs attributes are. Paths are relative to the mount, its root is ''. */
export interface AttributeFiles {
  list(path: string): readonly string[] | null;
  isFile(path: string): boolean;
  writeRefusal(path: string): Errno | null;
  read(path: string): string | Errno;
  write(path: string, text: string): Errno | null;
}

/** Operations of the kernel's FUSE interface that are answered (linux/fuse.h, protocol 7.31). */
const op = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  open: 14,
  read: 15,
  write: 16,
  release: 18,
  flush: 25,
  init: 26,
  opendir: 27,
  readdir: 28,
  releasedir: 29,
  interrupt: 36,
  destroy: 38,
  batchForget: 42,
} as const;
const inHeaderBytes = 40;
const outHeaderBytes = 16;
/** Above the kernel's minimum of 8 KiB plus one page of data. */
const requestBytesMax = 65_536;
/** FOPEN_DIRECT_IO: every read and write reaches us, none is answered from the page cache. */
const directIo = 1;

/** Mounts `files` at `folder` and answers until the mount goes away. Whoever uses the files must be another process than this one: a process
 *  that waits for its own answer hangs for ever. @throws Error when /dev/fuse cannot be opened or the mount is refused. */
export function mountAttributeFiles(folder: string, files: AttributeFiles): void {
  const device = openSync('/dev/fuse', 'r+');
  const options = 'fd=3,rootmode=40000,user_id=0,group_id=0,allow_other';
  const mount = spawnSync('mount', ['-i', '-t', 'fuse', '-o', options, 'sicbo-gpio', folder], {
    stdio: ['ignore', 'ignore', 'pipe', device],
    encoding: 'utf8',
  });
  if (mount.status !== 0) {
    closeSync(device);
    throw new Error(`cannot mount the simulated GPIO files: ${mount.stderr}`);
  }
  const answers = new FuseAnswers(files);
  const request = Buffer.alloc(requestBytesMax);
  const next = () =>
    read(device, request, 0, requestBytesMax, null, (error, byteCount) => {
      // ENODEV is the end of the mount; ENOENT and EINTR are requests withdrawn before they were read.
      if (error !== null && error.code !== 'ENOENT' && error.code !== 'EINTR') return;
      if (error === null) {
        const answer = answers.to(request.subarray(0, byteCount));
        if (answer !== null) send(device, answer);
      }
      next();
    });
  next();
}

function send(device: number, answer: Buffer): void {
  try {
    writeSync(device, answer);
  } catch {
    // The asker was killed before the answer came.
  }
}

class FuseAnswers {
  readonly #files: AttributeFiles;
  readonly #paths: string[] = ['', ''];
  readonly #nodes = new Map<string, number>([['', 1]]);

  constructor(files: AttributeFiles) {
    this.#files = files;
  }

  /** @returns null for requests that want no answer. */
  to(request: Buffer): Buffer | null {
    const opcode = request.readUInt32LE(4);
    if (opcode === op.forget || opcode === op.batchForget || opcode === op.interrupt) return null;
    const unique = request.readBigUInt64LE(8);
    const path = this.#paths[Number(request.readBigUInt64LE(16))] ?? '';
    const body = this.#body(opcode, path, request.subarray(inHeaderBytes));
    const payload = typeof body === 'string' ? Buffer.alloc(0) : body;
    const header = Buffer.alloc(outHeaderBytes);
    header.writeUInt32LE(outHeaderBytes + payload.length, 0);
    header.writeInt32LE(typeof body === 'string' ? -constants.errno[body] : 0, 4);
    header.writeBigUInt64LE(unique, 8);
    return Buffer.concat([header, payload]);
  }

  #body(opcode: number, path: string, input: Buffer): Buffer | Errno | 'ENOSYS' {
    switch (opcode) {
      case op.init:
        return initAnswer(input);
      case op.lookup:
        return this.#lookup(path, input.subarray(0, input.indexOf(0)).toString());
      case op.getattr:
      case op.setattr:
        return this.#exists(path) ? Buffer.concat([Buffer.alloc(16), this.#attributes(path)]) : 'ENOENT';
      case op.open:
        return this.#open(path, input.readUInt32LE(0));
      case op.read: {
        const text = this.#files.read(path);
        if (isErrno(text)) return text;
        const offset = Number(input.readBigUInt64LE(8));
        return Buffer.from(text).subarray(offset, offset + input.readUInt32LE(16));
      }
      case op.write: {
        const size = input.readUInt32LE(16);
        const refusal = this.#files.write(path, input.subarray(40, 40 + size).toString());
        return refusal ?? words(size, 0);
      }
      case op.opendir:
        return Buffer.alloc(16);
      case op.readdir:
        return this.#entries(path, Number(input.readBigUInt64LE(8)), input.readUInt32LE(16));
      case op.release:
      case op.releasedir:
      case op.flush:
      case op.destroy:
        return Buffer.alloc(0);
      default:
        return 'ENOSYS';
    }
  }

  #exists(path: string): boolean {
    return this.#files.list(path) !== null || this.#files.isFile(path);
  }

  #lookup(folder: string, name: string): Buffer | Errno {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (!this.#exists(path)) return 'ENOENT';
    const entry = Buffer.alloc(40);
    entry.writeBigUInt64LE(BigInt(this.#node(path)), 0);
    return Buffer.concat([entry, this.#attributes(path)]);
  }

  #node(path: string): number {
    const known = this.#nodes.get(path);
    if (known !== undefined) return known;
    const node = this.#paths.push(path) - 1;
    this.#nodes.set(path, node);
    return node;
  }

  #attributes(path: string): Buffer {
    const isFolder = this.#files.list(path) !== null;
    const attributes = Buffer.alloc(88);
    attributes.writeBigUInt64LE(BigInt(this.#node(path)), 0);
    attributes.writeBigUInt64LE(isFolder ? 0n : 4096n, 8);
    attributes.writeUInt32LE(isFolder ? 0o40755 : 0o100666, 60);
    attributes.writeUInt32LE(1, 64);
    return attributes;
  }

  #open(path: string, flags: number): Buffer | Errno {
    if (!this.#files.isFile(path)) return 'ENOENT';
    const isForWriting = (flags & 3) !== 0;
    const refusal = isForWriting ? this.#files.writeRefusal(path) : null;
    return refusal ?? words(0, 0, directIo, 0);
  }

  #entries(path: string, offset: number, sizeMax: number): Buffer | Errno {
    const names = this.#files.list(path);
    if (names === null) return 'ENOTDIR';
    const entries: Buffer[] = [];
    let size = 0;
    for (const [index, name] of names.entries()) {
      if (index < offset) continue;
      const entry = Buffer.alloc(24 + Math.ceil(Buffer.byteLength(name) / 8) * 8);
      const child = path === '' ? name : `${path}/${name}`;
      entry.writeBigUInt64LE(BigInt(this.#node(child)), 0);
      entry.writeBigUInt64LE(BigInt(index + 1), 8);
      entry.writeUInt32LE(Buffer.byteLength(name), 16);
      entry.writeUInt32LE(this.#files.list(child) !== null ? 4 : 8, 20);
      entry.write(name, 24);
      size += entry.length;
      if (size > sizeMax) break;
      entries.push(entry);
    }
    return Buffer.concat(entries);
  }
}

function initAnswer(input: Buffer): Buffer {
  const answer = Buffer.alloc(64);
  answer.writeUInt32LE(7, 0);
  answer.writeUInt32LE(Math.min(31, input.readUInt32LE(4)), 4);
  answer.writeUInt16LE(16, 16);
  answer.writeUInt16LE(12, 18);
  answer.writeUInt32LE(4096, 20);
  answer.writeUInt32LE(1, 24);
  return answer;
}

function words(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32LE(value, index * 4);
  return buffer;
}

const isErrno = (answer: string): answer is Errno => /^E[A-Z]+$/.test(answer);
