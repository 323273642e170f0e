/** What an open port tells. */
export interface PortListener {
  /** Bytes in the order of arrival; the buffer may be reused after the call. */
  onBytes(chunk: Uint8Array): void;
  /** The port is of no more use (unplugged, read error). May be called more than once. */
  onGone(detail: string): void;
}

/** An open byte stream to a device. Real: `openSerialPort`. */
export interface BytePort {
  /** Path that was opened, symbolic links resolved. */
  readonly realPath: string;
  /** False when the path no longer leads to what was opened: removed, or pointed at another device. Kernel and library do not always tell of a hang-up. */
  isPresent(): Promise<boolean>;
  /** @param onTaken called when the system has taken the bytes; may never be called. */
  write(bytes: Buffer, onTaken: () => void): void;
  /** Gives the device back. May never resolve when the driver hangs: wait with a deadline. Bytes not yet sent are dropped. */
  close(): Promise<void>;
}

/** Opens a device. Rejects with the system's error (`code` ENOENT, EACCES, …); may never settle: wait with a deadline. */
export type OpenPort = (path: string, listener: PortListener) => Promise<BytePort>;
