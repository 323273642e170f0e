import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { AnswerFields } from '../firmware-protocol/messages.ts';

/** What the simulated firmware keeps over power loss (EEPROM). */
export interface FirmwareMemory {
  bootCount: number;
  last: AnswerFields<'last'>;
  isJammed: boolean;
  isTampered: boolean;
}

/** Memory of a shaker that was never switched on. */
export function blankMemory(): FirmwareMemory {
  return {
    bootCount: 0,
    last: { order: 0, kind: 'none', outcome: 'none', activations: 0, tumbles: 0 },
    isJammed: false,
    isTampered: false,
  };
}

/** Memory kept in a JSON file of the simulator's own writing, so that order numbers and boot counter survive a restart of the demo. */
export function loadMemory(file: string): FirmwareMemory {
  return existsSync(file) ? { ...blankMemory(), ...(JSON.parse(readFileSync(file, 'utf8')) as FirmwareMemory) } : blankMemory();
}

/** Writes the memory whole or not at all. */
export function saveMemory(file: string, memory: FirmwareMemory): void {
  writeFileSync(`${file}.new`, JSON.stringify(memory));
  renameSync(`${file}.new`, file);
}
