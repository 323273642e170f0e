#include "board.h"

#include <simavr/avr_adc.h>
#include <simavr/avr_extint.h>
#include <simavr/avr_ioport.h>
#include <stddef.h>

#define ADC_SUPPLY 0
#define ADC_CURRENT 1
#define ADC_ACCEL 2
/* 12 V and 9 V through the divider; a running, a stalled motor at 1 V/A; accelerometer at 0 g and 62.7 mV/g. */
#define SUPPLY_OK_MV 2551u
#define SUPPLY_LOW_MV 1913u
#define CURRENT_RUNNING_MV 600u
#define CURRENT_STALLED_MV 3000u
#define ACCEL_REST_MV 1650u
#define ACCEL_MV_PER_G 62.7
/* How long a blow lasts, how far apart two must be to count as two, how strong rolling dice tremble. */
#define BLOW_MS 8u
#define BLOW_GAP_MS 70u
#define ROLLING_MILLI_G 230u
#define TAMPER_MS 200u

static struct {
  avr_t *avr;
  void (*on_motor)(bool is_on);
  uint8_t pulled[2]; /* levels of the inputs of ports B and D */
  uint32_t now_ms;
  uint32_t motor_start_ms;
  bool is_motor_on;
  bool is_opening;
  bool is_closing;
  bool is_stalled;
  bool has_cover;
  uint32_t cover_ms;
  uint32_t cover_at; /* 0 closed to cover_ms open */
  uint32_t tamper_until_ms;
  bool has_course;
  struct course course;
} board;

static void set_pin(char port, uint8_t pin, bool is_high) {
  static const uint8_t inputs[2] = {1u << 2 | 1u << 3 | 1u << 4, 1u << 2 | 1u << 3 | 1u << 4};
  uint8_t which = port == 'B' ? 0 : 1;
  board.pulled[which] = (uint8_t)((board.pulled[which] & ~(1u << pin)) | (is_high ? 1u << pin : 0u));
  /* Without this, each write to the port would let the pull-ups win over what is wired to the pins. */
  avr_ioport_external_t external = {(unsigned long)port, inputs[which], board.pulled[which]};
  avr_ioctl(board.avr, AVR_IOCTL_IOPORT_SET_EXTERNAL(port), &external);
  avr_raise_irq(avr_io_getirq(board.avr, AVR_IOCTL_IOPORT_GETIRQ(port), pin), is_high);
}

static void set_millivolts(uint8_t channel, uint32_t millivolts) {
  avr_raise_irq(avr_io_getirq(board.avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0 + channel), millivolts);
}

static void motor_pin(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)param;
  bool is_on = (value & 1u) != 0;
  if (is_on == board.is_motor_on) return;
  board.is_motor_on = is_on;
  if (is_on) {
    board.motor_start_ms = board.now_ms;
    board.has_course = false;
  } else {
    board.is_stalled = false;
  }
  board.on_motor(is_on);
}

static void cover_pin(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq;
  *(bool *)param = (value & 1u) != 0;
}

static void step_cover(void) {
  if (board.is_opening && board.cover_at < board.cover_ms) board.cover_at++;
  if (board.is_closing && board.cover_at > 0) board.cover_at--;
  set_pin('B', 4, board.cover_at != board.cover_ms);
  set_pin('B', 3, board.cover_at != 0);
}

static uint32_t acceleration_milli_g(void) {
  const struct course *course = &board.course;
  if (!board.has_course) return 0;
  uint32_t ms = board.now_ms - board.motor_start_ms;
  for (uint8_t i = 0; i < course->tumble_count; i++) {
    if (ms + BLOW_MS > course->at_ms[i] && ms <= course->at_ms[i]) return course->milli_g[i];
  }
  bool has_begun = course->tumble_count == 0 || ms > course->at_ms[0];
  bool is_rolling = course->rest_ms < 0 || ms < (uint32_t)course->rest_ms;
  return has_begun && is_rolling ? ROLLING_MILLI_G : 0;
}

void board_start(avr_t *avr, bool has_cover, uint32_t cover_ms, void (*on_motor)(bool is_on)) {
  board.avr = avr;
  board.on_motor = on_motor;
  board.has_cover = has_cover;
  board.cover_ms = cover_ms;
  /* Pins 2 and 3 could be level interrupts; unused ones would be polled in every cycle, at 40 % of a core. */
  avr_extint_set_strict_lvl_trig(avr, 0, 0);
  avr_extint_set_strict_lvl_trig(avr, 1, 0);
  for (uint8_t pin = 2; pin <= 4; pin++) set_pin('D', pin, false);
  set_pin('B', 2, !has_cover);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('B'), 0), motor_pin, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 5), cover_pin, &board.is_opening);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_IOPORT_GETIRQ('D'), 6), cover_pin, &board.is_closing);
  board_set_supply(false);
  board_step();
}

void board_step(void) {
  board.now_ms++;
  step_cover();
  if (board.now_ms == board.tamper_until_ms) set_pin('D', 3, false);
  uint32_t running = board.is_stalled ? CURRENT_STALLED_MV : CURRENT_RUNNING_MV;
  set_millivolts(ADC_CURRENT, board.is_motor_on ? running : 0);
  set_millivolts(ADC_ACCEL, ACCEL_REST_MV + (uint32_t)(acceleration_milli_g() * ACCEL_MV_PER_G / 1000.0 + 0.5));
}

void board_set_lid(bool is_open) { set_pin('D', 2, is_open); }

void board_set_stop(bool is_pressed) { set_pin('D', 4, is_pressed); }

void board_set_supply(bool is_low) { set_millivolts(ADC_SUPPLY, is_low ? SUPPLY_LOW_MV : SUPPLY_OK_MV); }

void board_tamper(void) {
  board.tamper_until_ms = board.now_ms + TAMPER_MS;
  set_pin('D', 3, true);
}

void board_stall(void) { board.is_stalled = true; }

void board_push_cover(bool is_open) { board.cover_at = is_open ? board.cover_ms : 0; }

void board_set_course(const struct course *course) {
  uint32_t ms = board.now_ms - board.motor_start_ms;
  uint32_t earliest = ms + BLOW_MS + 1u;
  board.course = *course;
  for (uint8_t i = 0; i < course->tumble_count; i++) {
    if (board.course.at_ms[i] < earliest) board.course.at_ms[i] = earliest;
    earliest = board.course.at_ms[i] + BLOW_GAP_MS;
  }
  board.has_course = true;
}
