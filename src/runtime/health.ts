import type { FaultCode } from '../core/round/faults.ts';
import type { DiceReader } from '../ports/dice-reader.ts';
import type { FrameSource } from '../ports/frame-source.ts';
import type { Journal } from '../ports/journal.ts';
import type { Lamps } from '../ports/lamps.ts';
import type { Shaker } from '../ports/shaker.ts';
import type { DeviceHealth } from '../ports/table.ts';
import type { FaultBoard } from './fault-board.ts';

interface HealthParts {
  readonly shaker: Shaker;
  readonly frames: FrameSource;
  readonly reader: DiceReader;
  readonly lamps: Lamps;
  readonly journal: Journal;
}

/** One line per device for people: whether it works, what is wrong, first and last fault since start, counters.
 *  @param drift see `DriftWatch`; stands with the camera. */
export function healthOf(
  board: FaultBoard,
  parts: HealthParts,
  isJournalWritable: boolean,
  drift: Readonly<Record<string, number>>,
): readonly DeviceHealth[] {
  const { identity, counters } = parts.shaker.status;
  const lampStatus = parts.lamps.status;
  const head = parts.journal.head;
  const line = (
    device: DeviceHealth['device'],
    goodDetail: string,
    deviceCounters: Readonly<Record<string, number>> = {},
  ): DeviceHealth => {
    const fault = board.standing.find((code) => code.startsWith(`${device}.`)) as FaultCode | undefined;
    const { firstMs, lastMs, count } = board.historyOf(`${device}.`);
    return {
      device,
      isUp: fault === undefined,
      detail: fault === undefined ? goodDetail : `${fault}: ${board.detailOf(fault)}`,
      firstFaultMs: firstMs,
      lastFaultMs: lastMs,
      counters: { ...deviceCounters, faults: count },
    };
  };
  const shakerDetail =
    identity === null ? 'online' : `${identity.deviceId}, firmware ${identity.firmwareVersion}, start ${identity.bootCount}`;
  return [
    line('shaker', shakerDetail, counters),
    line('camera', `picture ${parts.frames.latest?.frameNumber ?? 0}`, { ...parts.frames.counters, ...drift }),
    line('vision', `calibration ${parts.reader.calibrationId ?? 'none'}`, parts.reader.counters),
    line('lamps', `${lampStatus.lit.size} lit`, { lit: lampStatus.lit.size, problems: lampStatus.problems.length }),
    line('journal', isJournalWritable ? `record ${head.recordNumber}` : 'cannot be written', { records: head.recordNumber }),
    line('clock', 'set by a time server'),
    line('disk', 'enough space'),
  ];
}
