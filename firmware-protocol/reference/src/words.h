/* The closed sets of words of the protocol (../../README.md sections 3 and 5), in the order in which they are numbered here. */
#ifndef WORDS_H
#define WORDS_H
#include <stdint.h>

enum outcome {
  OUTCOME_NONE,
  OUTCOME_RUNNING,
  OUTCOME_SETTLED,
  OUTCOME_UNSETTLED,
  OUTCOME_DONE,
  OUTCOME_STOPPED,
  OUTCOME_JAMMED,
  OUTCOME_LID_OPEN,
  OUTCOME_TAMPER,
  OUTCOME_SUPPLY,
  OUTCOME_QUIET,
  OUTCOME_LOST,
  OUTCOME_COVER_STUCK
};
#define OUTCOME_COUNT 13u

enum cause {
  CAUSE_NOTHING, /* no refusal */
  CAUSE_NO_SESSION,
  CAUSE_PROTOCOL,
  CAUSE_BUSY,
  CAUSE_OLD_ORDER,
  CAUSE_TOO_LATE,
  CAUSE_OUT_OF_RANGE,
  CAUSE_NO_COVER,
  CAUSE_LID_OPEN,
  CAUSE_JAMMED,
  CAUSE_TAMPER,
  CAUSE_SUPPLY
};

enum order_kind { KIND_NONE, KIND_SHAKE, KIND_COVER };
enum state { STATE_IDLE, STATE_SHAKING, STATE_MOVING };
enum cover { COVER_NONE, COVER_CLOSED, COVER_OPEN, COVER_MOVING };
enum boot_cause { BOOT_POWER, BOOT_BROWN_OUT, BOOT_WATCHDOG, BOOT_RESET };

/* The word as a text in flash (flash_text.h). */
const char *outcome_word(enum outcome outcome);
const char *cause_word(enum cause cause);
const char *kind_word(enum order_kind kind);
const char *state_word(enum state state);
const char *cover_word(enum cover cover);
const char *boot_cause_word(enum boot_cause cause);
const char *lid_word(uint8_t is_open);
const char *supply_word(uint8_t is_low);
const char *switch_word(uint8_t is_on);

#endif
