import { countMotionBursts } from '../core/judging/motion-bursts.ts';
import type { FrameMotion } from '../ports/dice-reader.ts';

/** Looks kept of one shake; at 60 pictures a second this is over a minute. The oldest go first. */
const looksMax = 4_000;

/** A look with the time at which its picture arrived, ms: that it was taken by then is certain, when it was taken at the earliest is not. */
type Look = FrameMotion & { readonly arrivedMonoMs: number };

/** The looks at one throw, from the order of its shake on. */
export class ThrowLooks {
  #looks: Look[] = [];
  #activationMonoMs = 0;
  #isFirstActivation = true;

  /** Forgets the throw before. */
  begin(nowMonoMs: number): void {
    this.#looks = [];
    this.activate(1, nowMonoMs);
  }

  /** @param activationNumber from 1. */
  activate(activationNumber: number, nowMonoMs: number): void {
    this.#activationMonoMs = nowMonoMs;
    this.#isFirstActivation = activationNumber === 1;
  }

  add(look: FrameMotion, arrivedMonoMs: number): void {
    this.#looks.push({ ...look, arrivedMonoMs });
    if (this.#looks.length > looksMax) this.#looks.shift();
  }

  /** Looks at pictures captured after that time, in the order of capture. */
  after(monoMs: number): readonly FrameMotion[] {
    return this.#looks.filter((look) => look.capturedMonoMs > monoMs);
  }

  /** Tumbles seen since the last activation began. */
  get burstCount(): number {
    if (!this.#isFirstActivation) return countMotionBursts(this.#looks, this.#activationMonoMs);
    // Nothing rolled before the first activation, so pictures of a camera without time stamps, which count as old, lose none of its tumbles.
    const byArrival = this.#looks.map((look) => ({ ...look, capturedMonoMs: look.arrivedMonoMs }));
    return countMotionBursts(byArrival, this.#activationMonoMs);
  }
}
