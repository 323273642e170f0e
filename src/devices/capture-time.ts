/** Fastest difference between two quartz clocks that is followed, ms per ms: 200 ppm, four times what cheap ones show. */
const driftShareMax = 0.0002;
/** A stamp that is further off after a reconnect is of a camera whose clock was set anew. */
const stepMsMin = 5_000;

/** Places the time stamps of a camera's own clock on this machine's monotonic clock.
 *
 *  The difference of the two clocks is taken as the smallest (arrival - stamp) seen: the picture that was fastest on its way. A picture that waited
 *  in a queue then shows as captured earlier than it arrived. The smallest may grow only as fast as clocks drift, so that a queue that stays is not
 *  taken for a clock. What can not be known is a delay that has been the same since the first picture. */
export class CaptureTime {
  #offsetMs: number | null = null;
  #atMonoMs = 0;
  #isFresh = true;

  /** A new connection: when the camera restarted meanwhile its clock may show anything, so the next stamp may begin anew. */
  reconnected(): void {
    this.#isFresh = true;
  }

  /** Monotonic time of capture of a picture, ms; never later than its arrival. */
  capturedMonoMs(stampMs: number, arrivedMonoMs: number): number {
    const offsetMs = arrivedMonoMs - stampMs;
    const known = this.#offsetMs;
    const wasSetAnew = known !== null && this.#isFresh && Math.abs(offsetMs - known) > stepMsMin;
    const drifted = known === null ? offsetMs : known + (arrivedMonoMs - this.#atMonoMs) * driftShareMax;
    this.#offsetMs = wasSetAnew ? offsetMs : Math.min(drifted, offsetMs);
    this.#atMonoMs = arrivedMonoMs;
    this.#isFresh = false;
    // Stamps are large numbers: their sum is off by a fraction of a microsecond, which must not put it after the arrival.
    return Math.min(arrivedMonoMs, stampMs + this.#offsetMs);
  }
}
