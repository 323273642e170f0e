#include "words.h"

#include "flash_text.h"

const char *outcome_word(enum outcome outcome) {
  switch (outcome) {
    case OUTCOME_RUNNING: return FLASH_TEXT("running");
    case OUTCOME_SETTLED: return FLASH_TEXT("settled");
    case OUTCOME_UNSETTLED: return FLASH_TEXT("unsettled");
    case OUTCOME_DONE: return FLASH_TEXT("done");
    case OUTCOME_STOPPED: return FLASH_TEXT("stopped");
    case OUTCOME_JAMMED: return FLASH_TEXT("jammed");
    case OUTCOME_LID_OPEN: return FLASH_TEXT("lid-open");
    case OUTCOME_TAMPER: return FLASH_TEXT("tamper");
    case OUTCOME_SUPPLY: return FLASH_TEXT("supply");
    case OUTCOME_QUIET: return FLASH_TEXT("quiet");
    case OUTCOME_LOST: return FLASH_TEXT("lost");
    case OUTCOME_COVER_STUCK: return FLASH_TEXT("cover-stuck");
    case OUTCOME_NONE: break;
  }
  return FLASH_TEXT("none");
}

const char *cause_word(enum cause cause) {
  switch (cause) {
    case CAUSE_PROTOCOL: return FLASH_TEXT("protocol");
    case CAUSE_BUSY: return FLASH_TEXT("busy");
    case CAUSE_OLD_ORDER: return FLASH_TEXT("old-order");
    case CAUSE_TOO_LATE: return FLASH_TEXT("too-late");
    case CAUSE_OUT_OF_RANGE: return FLASH_TEXT("out-of-range");
    case CAUSE_NO_COVER: return FLASH_TEXT("no-cover");
    case CAUSE_LID_OPEN: return FLASH_TEXT("lid-open");
    case CAUSE_JAMMED: return FLASH_TEXT("jammed");
    case CAUSE_TAMPER: return FLASH_TEXT("tamper");
    case CAUSE_SUPPLY: return FLASH_TEXT("supply");
    case CAUSE_NOTHING:
    case CAUSE_NO_SESSION: break;
  }
  return FLASH_TEXT("no-session");
}

const char *kind_word(enum order_kind kind) {
  switch (kind) {
    case KIND_SHAKE: return FLASH_TEXT("shake");
    case KIND_COVER: return FLASH_TEXT("cover");
    case KIND_NONE: break;
  }
  return FLASH_TEXT("none");
}

const char *state_word(enum state state) {
  switch (state) {
    case STATE_SHAKING: return FLASH_TEXT("shaking");
    case STATE_MOVING: return FLASH_TEXT("moving");
    case STATE_IDLE: break;
  }
  return FLASH_TEXT("idle");
}

const char *cover_word(enum cover cover) {
  switch (cover) {
    case COVER_CLOSED: return FLASH_TEXT("closed");
    case COVER_OPEN: return FLASH_TEXT("open");
    case COVER_MOVING: return FLASH_TEXT("moving");
    case COVER_NONE: break;
  }
  return FLASH_TEXT("none");
}

const char *boot_cause_word(enum boot_cause cause) {
  switch (cause) {
    case BOOT_POWER: return FLASH_TEXT("power");
    case BOOT_BROWN_OUT: return FLASH_TEXT("brown-out");
    case BOOT_WATCHDOG: return FLASH_TEXT("watchdog");
    case BOOT_RESET: break;
  }
  return FLASH_TEXT("reset");
}

const char *lid_word(uint8_t is_open) { return is_open ? FLASH_TEXT("open") : FLASH_TEXT("closed"); }

const char *supply_word(uint8_t is_low) { return is_low ? FLASH_TEXT("low") : FLASH_TEXT("ok"); }

const char *switch_word(uint8_t is_on) { return is_on ? FLASH_TEXT("on") : FLASH_TEXT("off"); }
