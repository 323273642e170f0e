/* The machine around the controller: contacts, motor, cover, supply and the dice that hit the plate, by the wiring table of
   firmware-protocol/reference/README.md. Time is the controller's own. */
#ifndef BOARD_H
#define BOARD_H
#include <simavr/sim_avr.h>
#include <stdbool.h>
#include <stdint.h>

#define TUMBLES_MAX 32u

/* What the dice do from the start of the motor on, ms; rest_ms -1: they never come to rest. */
struct course {
  uint8_t tumble_count;
  uint32_t at_ms[TUMBLES_MAX];
  uint16_t milli_g[TUMBLES_MAX];
  int32_t rest_ms;
};

/* Wires the board to `avr`. `on_motor` hears of each start and stop of the motor. */
void board_start(avr_t *avr, bool has_cover, uint32_t cover_ms, void (*on_motor)(bool is_on));
/* Once a simulated millisecond. */
void board_step(void);

void board_set_lid(bool is_open);
void board_set_stop(bool is_pressed);
void board_set_supply(bool is_low);
/* Opens the case contact for 200 ms. */
void board_tamper(void);
/* The motor draws its stall current until it is switched off; one that stands stalls at its next start. */
void board_stall(void);
void board_push_cover(bool is_open);
/* For the running activation. Blows that should have come already come at once, one after the other. */
void board_set_course(const struct course *course);

#endif
