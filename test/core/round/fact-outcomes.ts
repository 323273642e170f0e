/** What a table does with every kind of fact in every phase: kinds of the events it journals, the phase it comes to, the orders it gives; or
 *  the cause of refusal with the facts refused for it. Bets-first and unattended unless the name says otherwise. The facts: `phase-fact-cells.ts`. */
export interface Outcomes {
  readonly taken: Readonly<Record<string, string>>;
  readonly refused: Readonly<Record<string, string>>;
}

/** The facts as lists, where a table refuses many of them for one cause. */
export const answers = 'shakeFinished shakeFailed coverMoved coverFailed diceRested restFailed diceRead readFailed';
export const timerAndAnswers = `timerElapsed ${answers}`;
const acts = 'openRequested closeBettingRequested shakeRequested holdRequested resumeRequested voidRequested unlockRequested';
export const allButStart = `${acts} ${timerAndAnswers} faultRaised faultCleared tamperSensed coverSensed ordersSeen tableStopping`;
