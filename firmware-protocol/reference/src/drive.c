#include "drive.h"

#include "config.h"

/* The guard counts periods of 25 ms in one byte, so that interrupt and main loop need no lock. One period more than the limit: the state
   machine stops the drive at the limit itself, the guard when that did not happen. */
#define GUARD_PERIOD_MS 25u
#define GUARD_PERIODS(ms) ((uint8_t)((ms) / GUARD_PERIOD_MS + 2u))

static volatile uint8_t guard_periods;
static uint8_t guard_ms;
static bool is_motor_on;
static uint32_t motor_start_ms;

void drive_motor_start(uint32_t now) {
  hal_drives_off();
  guard_periods = GUARD_PERIODS(MOTOR_MS_MAX);
  is_motor_on = true;
  motor_start_ms = now;
  drive_step(now);
}

void drive_cover_start(enum hal_cover_drive direction) {
  drive_stop();
  guard_periods = GUARD_PERIODS(COVER_MS_MAX);
  hal_cover_drive(direction);
}

void drive_stop(void) {
  is_motor_on = false;
  hal_drives_off();
  guard_periods = 0;
}

void drive_step(uint32_t now) {
  /* Zero periods with the motor on: the guard has stopped it, and it stays off. */
  if (!is_motor_on || guard_periods == 0) return;
  uint32_t ran_ms = now - motor_start_ms;
  uint8_t duty = MOTOR_DUTY;
  if (ran_ms < SOFT_START_MS) duty = (uint8_t)(1u + ran_ms * (MOTOR_DUTY - 1u) / SOFT_START_MS);
  hal_motor(duty);
}

bool drive_is_motor_on(void) { return is_motor_on; }

void drive_guard(void) {
  if (guard_periods == 0) return;
  if (!hal_is_safe()) {
    guard_periods = 0;
    hal_drives_off();
    return;
  }
  if (++guard_ms < GUARD_PERIOD_MS) return;
  guard_ms = 0;
  guard_periods--;
  if (guard_periods == 0) hal_drives_off();
}
