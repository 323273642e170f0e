import { allButStart, answers, type Outcomes } from './fact-outcomes.ts';

/** From the start through a round of bets-first play to its end. */
export const openPlayOutcomes: Readonly<Record<string, Outcomes>> = {
  'not started': {
    taken: {
      tableStarted: 'tableStarted nextRoundScheduled -> closed',
    },
    refused: {
      stopping: allButStart,
    },
  },
  closed: {
    taken: {
      openRequested: 'roundOpened bettingOpened -> betting',
      holdRequested: 'tableHeld -> held',
      timerElapsed: 'roundOpened bettingOpened -> betting',
      faultRaised: 'faultRaised -> closed',
      tamperSensed: 'tableLocked -> locked',
      coverSensed: 'coverSensed -> closed',
      tableStarted: 'tableStarted nextRoundScheduled -> closed',
      tableStopping: 'tableStopped -> closed',
    },
    refused: {
      'wrong-phase': 'closeBettingRequested shakeRequested resumeRequested voidRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared',
    },
  },
  betting: {
    taken: {
      closeBettingRequested: 'bettingClosed -> no-more-bets',
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      timerElapsed: 'bettingClosed -> no-more-bets',
      faultRaised: 'faultRaised -> betting',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> betting',
      tableStarted: 'tableStarted roundVoided nextRoundScheduled -> void',
      tableStopping: 'roundVoided tableStopped -> void',
    },
    refused: {
      'wrong-phase': 'openRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared',
    },
  },
  'no-more-bets': {
    taken: {
      shakeRequested: 'shakeOrdered -> shaking, orders shake',
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      timerElapsed: 'shakeOrdered -> shaking, orders shake',
      faultRaised: 'faultRaised -> no-more-bets',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> no-more-bets',
      tableStarted: 'tableStarted roundVoided nextRoundScheduled -> void',
      tableStopping: 'roundVoided tableStopped -> void',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested resumeRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared',
    },
  },
  shaking: {
    taken: {
      holdRequested: 'throwVoided roundHeld -> held, orders stopShaker',
      voidRequested: 'roundVoided nextRoundScheduled -> void, orders stopShaker',
      shakeFinished: 'shakeFinished restWatchOrdered -> settling, orders watchRest',
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
  settling: {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      diceRested: 'diceRested readOrdered -> reading, orders readDice',
      restFailed: 'restFailed throwVoided shakeOrdered -> shaking, orders shake',
      faultRaised: 'faultRaised -> settling',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> settling',
      tableStarted: 'tableStarted roundHeld -> held',
      tableStopping: 'roundHeld tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': 'timerElapsed shakeFinished shakeFailed coverMoved coverFailed diceRead readFailed',
      unchanged: 'faultCleared',
    },
  },
  reading: {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      diceRead: 'diceRead resultDeclared -> result',
      readFailed: 'readFailed readOrdered -> reading, orders readDice',
      faultRaised: 'faultRaised -> reading',
      tamperSensed: 'roundVoided tableLocked -> locked',
      coverSensed: 'coverSensed -> reading',
      tableStarted: 'tableStarted roundHeld -> held',
      tableStopping: 'roundHeld tableStopped -> held',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': 'timerElapsed shakeFinished shakeFailed coverMoved coverFailed diceRested restFailed',
      unchanged: 'faultCleared',
    },
  },
  result: {
    taken: {
      holdRequested: 'roundHeld -> held',
      voidRequested: 'roundVoided nextRoundScheduled -> void',
      timerElapsed: 'roundSettled nextRoundScheduled -> closed',
      faultRaised: 'faultRaised -> result',
      tamperSensed: 'tableLocked -> result',
      coverSensed: 'coverSensed -> result',
      tableStarted: 'tableStarted -> result',
      tableStopping: 'tableStopped -> result',
    },
    refused: {
      'wrong-phase': 'openRequested closeBettingRequested shakeRequested resumeRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared',
    },
  },
  'closed after a round': {
    taken: {
      openRequested: 'roundOpened bettingOpened -> betting',
      holdRequested: 'tableHeld -> held',
      timerElapsed: 'roundOpened bettingOpened -> betting',
      faultRaised: 'faultRaised -> closed',
      tamperSensed: 'tableLocked -> locked',
      coverSensed: 'coverSensed -> closed',
      tableStarted: 'tableStarted nextRoundScheduled -> closed',
      tableStopping: 'tableStopped -> closed',
    },
    refused: {
      'wrong-phase': 'closeBettingRequested shakeRequested resumeRequested voidRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared',
    },
  },
  void: {
    taken: {
      openRequested: 'roundOpened bettingOpened -> betting',
      holdRequested: 'tableHeld -> held',
      timerElapsed: 'roundOpened bettingOpened -> betting',
      faultRaised: 'faultRaised -> void',
      tamperSensed: 'tableLocked -> locked',
      coverSensed: 'coverSensed -> void',
      tableStarted: 'tableStarted nextRoundScheduled -> void',
      tableStopping: 'tableStopped -> void',
    },
    refused: {
      'wrong-phase': 'closeBettingRequested shakeRequested resumeRequested voidRequested unlockRequested',
      'stale-answer': answers,
      unchanged: 'faultCleared',
    },
  },
};
