/** What a table does with every kind of fact in every phase: kinds of the events it journals, the phase it comes to, the orders it gives; or
 *  the cause of refusal with the facts refused for it. Bets-first and unattended unless the name says otherwise. The facts: `phase-fact-cells.ts`. */
interface Outcomes {
  readonly taken: Readonly<Record<string, string>>;
  readonly refused: Readonly<Record<string, string>>;
}

const answers = 'shakeFinished shakeFailed coverMoved coverFailed diceRested restFailed diceRead readFailed';
const timerAndAnswers = `timerElapsed ${answers}`;
const acts = 'openRequested closeBettingRequested shakeRequested holdRequested resumeRequested voidRequested unlockRequested';
const allButStart = `${acts} ${timerAndAnswers} faultRaised faultCleared tamperSensed coverSensed tableStopping`;

export const outcomes: Readonly<Record<string, Outcomes>> = {
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
  'held between rounds': {
    taken: {
      resumeRequested: 'tableResumed nextRoundScheduled -> closed',
      faultRaised: 'faultRaised -> held',
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
