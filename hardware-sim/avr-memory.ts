import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { crc16 } from '../firmware-protocol/crc16.ts';
import { type AnswerFields, orderOutcomes } from '../firmware-protocol/messages.ts';

// Layout: firmware-protocol/reference/src/memory.h.
const eepromBytes = 1024;
const slotCount = 62;
const slotBytes = 16;
const crcAt = 14;
const idAddress = 992;
const kinds = ['none', 'shake', 'cover'] as const;

/** What the newest valid slot of an ATmega's EEPROM image holds. */
interface AvrMemory {
  readonly bootCount: number;
  readonly last: AnswerFields<'last'>;
  readonly isJammed: boolean;
  readonly isTampered: boolean;
}

/** Reads an EEPROM image as the firmware does. @returns null when no slot of it is valid. */
export function readAvrMemory(image: Buffer): AvrMemory | null {
  let newest: { readonly number: number; readonly memory: AvrMemory } | null = null;
  for (let slot = 0; slot < slotCount; slot += 1) {
    const bytes = image.subarray(slot * slotBytes, (slot + 1) * slotBytes);
    if (bytes.length < slotBytes || bytes.readUInt16LE(crcAt) !== crc16(bytes.subarray(0, crcAt))) continue;
    const flags = bytes.readUInt8(10);
    const [kind, outcome] = [kinds[flags >> 6], orderOutcomes[flags & 0x0f]];
    if (kind === undefined || outcome === undefined) continue;
    const number = bytes.readUInt16LE(0);
    // Numbers wrap around; the newer of two lies less than half of all numbers ahead.
    if (newest !== null && ((number - newest.number) & 0xffff) >= 0x8000) continue;
    const last = {
      order: bytes.readUInt32LE(6),
      kind,
      outcome,
      activations: bytes.readUInt8(11),
      tumbles: bytes.readUInt8(12),
    };
    const isOn = (bit: number): boolean => (flags & bit) !== 0;
    newest = { number, memory: { bootCount: bytes.readUInt32LE(2), last, isJammed: isOn(0x20), isTampered: isOn(0x10) } };
  }
  return newest?.memory ?? null;
}

/** The memory in this EEPROM file; null when there is none yet. */
export function loadAvrMemory(file: string): AvrMemory | null {
  return existsSync(file) ? readAvrMemory(readFileSync(file)) : null;
}

/** Makes the EEPROM image of a new board that bears this name, unless the file is there. */
export function provideAvrMemory(file: string, deviceId: string): void {
  if (existsSync(file)) return;
  const image = Buffer.alloc(eepromBytes, 0xff);
  image.write(deviceId, idAddress, 'latin1');
  writeFileSync(file, image);
}
