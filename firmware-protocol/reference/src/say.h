/* What the device says: one function per answer and event, each writes verb and fields after line_start (line_writer.h). */
#ifndef SAY_H
#define SAY_H
#include <stdbool.h>
#include <stdint.h>

#include "words.h"

struct limits {
  uint16_t motor_ms;
  uint16_t settle_ms;
  uint16_t cover_ms;
  uint16_t quiet_ms;
  uint8_t tumbles;
  uint8_t activations;
};

struct status {
  uint32_t up;
  enum state state;
  bool is_lid_open;
  enum cover cover;
  bool is_supply_low;
  bool is_jammed;
  bool is_tampered;
};

struct last {
  uint32_t order;
  enum order_kind kind;
  enum outcome outcome;
  uint8_t activations;
  uint8_t tumbles;
};

void say_hello(const char *id, uint32_t up);
void say_limits(const struct limits *limits);
void say_ping(uint32_t up);
void say_status(const struct status *status);
void say_last(const struct last *last);
/* Answer to shake and to cover. */
void say_taken(enum order_kind kind, uint32_t order, bool is_again);
void say_stop(void);
void say_clear(void);
void say_refused(enum cause cause);

void say_boot(enum boot_cause cause);
void say_activation(uint32_t order, uint8_t number);
void say_tumble(uint32_t order, uint8_t activation, uint8_t number, uint16_t strength);
void say_settled(uint32_t order, uint8_t activation);
void say_ended(const struct last *last);
void say_lid(bool is_open);
void say_cover(enum cover cover);
void say_supply(bool is_low);
void say_jam(bool is_on);
void say_tamper(bool is_on);

#endif
