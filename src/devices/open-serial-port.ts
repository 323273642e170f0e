import { realpath } from 'node:fs/promises';
import { SerialPort } from 'serialport';
import type { BytePort, PortListener } from './byte-port.ts';

/** Source: firmware-protocol/README.md section 1. */
const baudRate = 115_200;

/** Opens a serial device or pseudo-terminal by path or symbolic link. The link is resolved anew at each call, so a device that came back under another name is
 *  found. Takes an exclusive kernel lock (flock, let go with the file descriptor, also by a crash): a second controller of the same device is refused
 *  with "Cannot lock port". No explicit DTR reset: opening resets boards that are wired for it, and pseudo-terminals have no DTR. */
export async function openSerialPort(path: string, listener: PortListener): Promise<BytePort> {
  const realPath = await realpath(path);
  const port = new SerialPort({ path: realPath, baudRate, autoOpen: false, lock: true, hupcl: false });
  // An `error` without a listener would end the process, also one that comes after the close.
  port.on('error', (error: Error) => listener.onGone(error.message));
  await new Promise<void>((resolve, reject) => port.open((error) => (error ? reject(error) : resolve())));
  port.on('data', (chunk: Buffer) => listener.onBytes(chunk));
  port.on('close', (error: Error | null) => listener.onGone(error?.message ?? 'closed'));
  port.on('end', () => listener.onGone('end of file'));
  return {
    realPath,
    isPresent: () =>
      realpath(path).then(
        (found) => found === realPath,
        () => false,
      ),
    write: (bytes, onTaken) => {
      if (!port.isOpen) return;
      port.write(bytes, (error) => {
        if (!error) onTaken();
      });
    },
    close: () =>
      new Promise((resolve) => {
        if (port.isOpen) port.close(() => resolve());
        else resolve();
      }),
  };
}
