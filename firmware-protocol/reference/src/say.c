#include "say.h"

#include "config.h"
#include "flash_text.h"
#include "line_writer.h"

void say_hello(const char *id, uint32_t up) {
  line_text(FLASH_TEXT("hello device=" DEVICE_NAME " id="));
  line_ram_text(id);
  line_text(FLASH_TEXT(" fw=" FIRMWARE_VERSION));
  line_field(FLASH_TEXT(" protocol="), PROTOCOL_VERSION);
  line_field(FLASH_TEXT(" up="), up);
}

void say_limits(const struct limits *limits) {
  line_field(FLASH_TEXT("limits motor="), limits->motor_ms);
  line_field(FLASH_TEXT(" settle="), limits->settle_ms);
  line_field(FLASH_TEXT(" cover="), limits->cover_ms);
  line_field(FLASH_TEXT(" quiet="), limits->quiet_ms);
  line_field(FLASH_TEXT(" tumbles="), limits->tumbles);
  line_field(FLASH_TEXT(" activations="), limits->activations);
}

void say_ping(uint32_t up) { line_field(FLASH_TEXT("ping up="), up); }

void say_status(const struct status *status) {
  line_field(FLASH_TEXT("status up="), status->up);
  line_word(FLASH_TEXT(" state="), state_word(status->state));
  line_word(FLASH_TEXT(" lid="), lid_word(status->is_lid_open));
  line_word(FLASH_TEXT(" cover="), cover_word(status->cover));
  line_word(FLASH_TEXT(" supply="), supply_word(status->is_supply_low));
  line_word(FLASH_TEXT(" jam="), switch_word(status->is_jammed));
  line_word(FLASH_TEXT(" tamper="), switch_word(status->is_tampered));
}

static void say_counts(const struct last *last) {
  line_field(FLASH_TEXT(" activations="), last->activations);
  line_field(FLASH_TEXT(" tumbles="), last->tumbles);
}

void say_last(const struct last *last) {
  line_field(FLASH_TEXT("last order="), last->order);
  line_word(FLASH_TEXT(" kind="), kind_word(last->kind));
  line_word(FLASH_TEXT(" outcome="), outcome_word(last->outcome));
  say_counts(last);
}

void say_taken(enum order_kind kind, uint32_t order, bool is_again) {
  line_text(kind == KIND_COVER ? FLASH_TEXT("cover") : FLASH_TEXT("shake"));
  line_field(FLASH_TEXT(" order="), order);
  line_word(FLASH_TEXT(" taken="), is_again ? FLASH_TEXT("again") : FLASH_TEXT("new"));
}

void say_stop(void) { line_text(FLASH_TEXT("stop")); }

void say_clear(void) { line_text(FLASH_TEXT("clear")); }

void say_refused(enum cause cause) { line_word(FLASH_TEXT("refused cause="), cause_word(cause)); }

void say_boot(enum boot_cause cause) {
  line_text(FLASH_TEXT("boot fw=" FIRMWARE_VERSION));
  line_field(FLASH_TEXT(" protocol="), PROTOCOL_VERSION);
  line_word(FLASH_TEXT(" cause="), boot_cause_word(cause));
}

void say_activation(uint32_t order, uint8_t number) {
  line_field(FLASH_TEXT("activation order="), order);
  line_field(FLASH_TEXT(" number="), number);
}

void say_tumble(uint32_t order, uint8_t activation, uint8_t number, uint16_t strength) {
  line_field(FLASH_TEXT("tumble order="), order);
  line_field(FLASH_TEXT(" activation="), activation);
  line_field(FLASH_TEXT(" number="), number);
  line_field(FLASH_TEXT(" strength="), strength);
}

void say_settled(uint32_t order, uint8_t activation) {
  line_field(FLASH_TEXT("settled order="), order);
  line_field(FLASH_TEXT(" activation="), activation);
}

void say_ended(const struct last *last) {
  line_field(FLASH_TEXT("ended order="), last->order);
  line_word(FLASH_TEXT(" outcome="), outcome_word(last->outcome));
  say_counts(last);
}

void say_lid(bool is_open) { line_word(FLASH_TEXT("lid state="), lid_word(is_open)); }

void say_cover(enum cover cover) { line_word(FLASH_TEXT("cover state="), cover_word(cover)); }

void say_supply(bool is_low) { line_word(FLASH_TEXT("supply state="), supply_word(is_low)); }

void say_jam(bool is_on) { line_word(FLASH_TEXT("jam state="), switch_word(is_on)); }

void say_tamper(bool is_on) { line_word(FLASH_TEXT("tamper state="), switch_word(is_on)); }
