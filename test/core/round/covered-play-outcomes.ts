import { answers, type Outcomes } from './fact-outcomes.ts';

/** Through a round of shake-first play. */
export const coveredPlayOutcomes: Readonly<Record<string, Outcomes>> = {
  'shake-first closing': {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      coverMoved: 'coverMoved shakeOrdered -> shaking, orders shake',
      coverFailed: 'coverFailed roundHeld -> held',
      faultRaised: 'faultRaised -> shaking',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> shaking',
      tableStarted: 'tableStarted roundVoided nextRoundScheduled -> void',
      tableStopping: 'roundVoided tableStopped -> void',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': 'timerElapsed shakeFinished shakeFailed diceRested restFailed diceRead readFailed',
      unchanged: 'faultCleared',
    },
  },
  'shake-first shaking': {
    taken: {
      holdRequested: 'throwVoided roundHeld -> held, orders stopShaker',
      voidRequested: 'roundVoided nextRoundScheduled -> void, orders stopShaker',
      shakeFinished: 'shakeFinished bettingOpened -> betting',
      shakeFailed: 'shakeFailed roundVoided nextRoundScheduled -> void',
      faultRaised: 'faultRaised -> shaking',
      tamperSensed: 'roundVoided tableLocked -> locked, orders stopShaker',
      coverSensed: 'coverSensed -> shaking',
      tableStarted: 'tableStarted throwVoided roundHeld -> held, orders stopShaker',
      tableStopping: 'throwVoided roundHeld tableStopped -> held, orders stopShaker',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': 'timerElapsed coverMoved coverFailed diceRested restFailed diceRead readFailed',
      unchanged: 'faultCleared',
    },
  },
  'shake-first betting': {
    taken: {
      closeBettingRequested: 'bettingClosed -> no-more-bets',
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      timerElapsed: 'bettingClosed -> no-more-bets',
      faultRaised: 'faultRaised -> betting',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed roundVoided nextRoundScheduled -> void',
      tableStarted: 'tableStarted roundHeld -> held',
      tableStopping: 'roundHeld tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared',
    },
  },
  'shake-first no-more-bets': {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      timerElapsed: 'coverOrdered -> uncovering, orders moveCover',
      faultRaised: 'faultRaised -> no-more-bets',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> no-more-bets',
      tableStarted: 'tableStarted roundHeld -> held',
      tableStopping: 'roundHeld tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared',
    },
  },
  'shake-first uncovering': {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      coverMoved: 'coverMoved restWatchOrdered -> settling, orders watchRest',
      coverFailed: 'coverFailed roundHeld -> held',
      faultRaised: 'faultRaised -> uncovering',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> uncovering',
      tableStarted: 'tableStarted roundHeld -> held',
      tableStopping: 'roundHeld tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': 'timerElapsed shakeFinished shakeFailed diceRested restFailed diceRead readFailed',
      unchanged: 'faultCleared',
    },
  },
  'shake-first settling': {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      diceRested: 'diceRested readOrdered -> reading, orders readDice',
      restFailed: 'restFailed throwVoided coverOrdered -> shaking, orders moveCover',
      faultRaised: 'faultRaised -> settling',
      tamperSensed: 'roundVoided tableLocked -> locked',
      tableStarted: 'tableStarted roundHeld -> held',
      tableStopping: 'roundHeld tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': 'timerElapsed shakeFinished shakeFailed coverMoved coverFailed diceRead readFailed',
      unchanged: 'faultCleared coverSensed',
    },
  },
  'shake-first reading': {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      diceRead: 'diceRead resultDeclared -> result',
      readFailed: 'readFailed readOrdered -> reading, orders readDice',
      faultRaised: 'faultRaised -> reading',
      tamperSensed: 'roundVoided tableLocked -> locked',
      tableStarted: 'tableStarted roundHeld -> held',
      tableStopping: 'roundHeld tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': 'timerElapsed shakeFinished shakeFailed coverMoved coverFailed diceRested restFailed',
      unchanged: 'faultCleared coverSensed',
    },
  },
  'shake-first result': {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      timerElapsed: 'roundSettled nextRoundScheduled -> closed',
      faultRaised: 'faultRaised -> result',
      tamperSensed: 'tableLocked -> result',
      tableStarted: 'tableStarted -> result',
      tableStopping: 'tableStopped -> result',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared coverSensed',
    },
  },
};
