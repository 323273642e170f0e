import { allButStart, answers, type Outcomes, timerAndAnswers } from './fact-outcomes.ts';

/** Held, locked and stopped. */
export const haltedOutcomes: Readonly<Record<string, Outcomes>> = {
  'held between rounds': {
    taken: {
      resumeRequested: 'tableResumed nextRoundScheduled -> closed',
      faultRaised: 'faultRaised -> held',
      ordersSeen: 'ordersSeen -> held',
      tamperSensed: 'tableLocked -> locked',
      coverSensed: 'coverSensed -> held',
      tableStarted: 'tableStarted -> held',
      tableStopping: 'tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested holdRequested voidRequested unlockRequested',
      'stale-answer': timerAndAnswers,
      unchanged: 'faultCleared',
    },
  },
  'held in betting': {
    taken: {
      resumeRequested: 'roundResumed -> betting',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      faultRaised: 'faultRaised -> held',
      ordersSeen: 'ordersSeen -> held',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> held',
      tableStarted: 'tableStarted -> held',
      tableStopping: 'tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested holdRequested unlockRequested',
      'stale-answer': timerAndAnswers,
      unchanged: 'faultCleared',
    },
  },
  'held in shaking': {
    taken: {
      resumeRequested: 'roundResumed shakeOrdered -> shaking, orders shake',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      faultRaised: 'faultRaised -> held',
      ordersSeen: 'ordersSeen -> held',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> held',
      tableStarted: 'tableStarted -> held',
      tableStopping: 'tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested holdRequested unlockRequested',
      'stale-answer': timerAndAnswers,
      unchanged: 'faultCleared',
    },
  },
  'held in reading': {
    taken: {
      resumeRequested: 'roundResumed restWatchOrdered -> settling, orders watchRest',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      faultRaised: 'faultRaised -> held',
      ordersSeen: 'ordersSeen -> held',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> held',
      tableStarted: 'tableStarted -> held',
      tableStopping: 'tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested holdRequested unlockRequested',
      'stale-answer': timerAndAnswers,
      unchanged: 'faultCleared',
    },
  },
  'held in result': {
    taken: {
      resumeRequested: 'roundResumed -> result',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      faultRaised: 'faultRaised -> held',
      ordersSeen: 'ordersSeen -> held',
      tamperSensed: 'tableLocked -> held',
      coverSensed: 'coverSensed -> held',
      tableStarted: 'tableStarted -> held',
      tableStopping: 'tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested holdRequested unlockRequested',
      'stale-answer': timerAndAnswers,
      unchanged: 'faultCleared',
    },
  },
  locked: {
    taken: {
      unlockRequested: 'tableUnlocked nextRoundScheduled -> closed',
      faultRaised: 'faultRaised -> locked',
      ordersSeen: 'ordersSeen -> locked',
      coverSensed: 'coverSensed -> locked',
      tableStarted: 'tableStarted -> locked',
      tableStopping: 'tableStopped -> locked',
    },
    refused: {
      locked: 'openRequested closeBettingRequested shakeRequested holdRequested resumeRequested voidRequested tamperSensed',
      'stale-answer': timerAndAnswers,
      unchanged: 'faultCleared',
    },
  },
  'result under a lock': {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided -> locked',
      timerElapsed: 'roundSettled -> locked',
      faultRaised: 'faultRaised -> result',
      ordersSeen: 'ordersSeen -> result',
      coverSensed: 'coverSensed -> result',
      tableStarted: 'tableStarted -> result',
      tableStopping: 'tableStopped -> result',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared',
      locked: 'tamperSensed',
    },
  },
  stopped: {
    taken: {
      tableStarted: 'tableStarted -> result',
    },
    refused: {
      stopping: allButStart,
    },
  },
};
