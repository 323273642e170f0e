/** Standing conditions of the table's devices. A blocking fault lets no round open and no shake start. */
export type FaultCode =
  | 'shaker.offline'
  | 'shaker.wrong-device'
  | 'shaker.jammed'
  | 'shaker.lid-open'
  | 'shaker.supply'
  | 'camera.offline'
  | 'camera.frozen'
  | 'camera.bad-picture'
  | 'camera.scene-changed'
  | 'camera.not-calibrated'
  /** Light, focus, camera or dice leave the calibration; readings are still right. */
  | 'camera.drifting'
  | 'vision.down'
  | 'journal.unwritable'
  | 'journal.slow'
  | 'lamps.offline'
  | 'lamps.degraded'
  | 'clock.not-synchronised'
  | 'disk.low';

/** Faults under which the game goes on in a clearly shown degraded state (failures.md GPIO-01, DB-05, DB-06). All others block. */
export const degradingFaults: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'lamps.offline',
  'lamps.degraded',
  'camera.drifting',
  'clock.not-synchronised',
  'journal.slow',
  'disk.low',
]);

/** True when no round may open and no shake may start while the fault stands. */
export function isBlocking(fault: FaultCode): boolean {
  return !degradingFaults.has(fault);
}

/** Why a shake that was ordered did not end as ordered. */
export type ShakeFailure =
  | 'link-lost'
  | 'rebooted'
  | 'jammed'
  | 'no-answer'
  | 'refused'
  | 'lid-open'
  | 'tamper'
  | 'supply'
  | 'aborted';

/** Why the dice could not be watched or read although nothing says that the throw is bad. */
export type WatchFailure =
  | 'camera-lost'
  | 'camera-frozen'
  | 'vision-lost'
  | 'timed-out'
  | 'not-calibrated'
  | 'evidence-unwritable'
  /** A reading that calls itself accepted cannot be evidence: a fault of the camera stands, or its dice do not bear out its values. */
  | 'not-trusted';

/** Faults under which a picture may show something else than the dice of this throw; a reading made under one is no evidence (CAM-02). */
export const distrustedPictureFaults: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'camera.frozen',
  'camera.bad-picture',
  'camera.scene-changed',
  'camera.not-calibrated',
]);
