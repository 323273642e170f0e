/* Contacts and levels, freed of bounce. */
#ifndef INPUTS_H
#define INPUTS_H
#include <stdbool.h>
#include <stdint.h>

#include "words.h"

struct inputs {
  bool is_lid_open;
  bool is_tampered; /* case contact or emergency stop, now */
  bool is_supply_low;
  bool is_stalled; /* motor current too high for too long */
  enum cover cover;
  uint32_t agreed_ms[4]; /* when lid, tamper, supply and cover last read as told above */
  uint32_t unstalled_ms;
};

/* Reads all as they stand now. */
void inputs_start(struct inputs *inputs, uint32_t now);
/* Once a millisecond. */
void inputs_step(struct inputs *inputs, uint32_t now);
/* Self-test with the drives off: accelerometer and current sensor read what they must at rest. */
bool inputs_are_plausible(void);

#endif
