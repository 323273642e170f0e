#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "../src/hal.h"
#include "../src/shaker.h"
#include "hal_avr.h"

/* Before the C start-up code: the cause of the reset is kept, and the watchdog, which stays on over its own reset at its shortest time, set anew. */
static uint8_t reset_flags __attribute__((section(".noinit")));
static void keep_reset_flags(void) __attribute__((naked, used, section(".init3")));
static void keep_reset_flags(void) {
  reset_flags = MCUSR;
  MCUSR = 0;
  wdt_enable(WDTO_500MS);
}

static enum boot_cause cause_of_start(void) {
  if (reset_flags & _BV(PORF)) return BOOT_POWER;
  if (reset_flags & _BV(WDRF)) return BOOT_WATCHDOG;
  if (reset_flags & _BV(BORF)) return BOOT_BROWN_OUT;
  return BOOT_RESET;
}

int main(void) {
  hal_avr_start();
  shaker_start(cause_of_start());
  set_sleep_mode(SLEEP_MODE_IDLE);
  for (;;) {
    uint32_t up = hal_up();
    shaker_poll();
    /* Sleeps until the next byte or millisecond. Interrupts are off between the look and the sleep, so that none is missed. */
    cli();
    if (!hal_avr_has_received() && hal_up() == up) {
      sleep_enable();
      sei();
      sleep_cpu();
      sleep_disable();
    }
    sei();
  }
}
