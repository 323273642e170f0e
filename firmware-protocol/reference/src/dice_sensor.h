/* Tumbles and rest from the accelerometer under the plate. */
#ifndef DICE_SENSOR_H
#define DICE_SENSOR_H
#include <stdbool.h>
#include <stdint.h>

struct dice_sensor {
  uint16_t level_x16; /* sample at rest, sixteenths of a count */
  uint16_t peak_milli_g;
  bool is_in_blow;
  uint32_t blow_ms;  /* end of the last tumble */
  uint32_t moved_ms; /* when something last moved */
};

/* Begins with this sample as the level at rest. */
void dice_sensor_start(struct dice_sensor *sensor, uint16_t sample, uint32_t now);
/* A new activation: forgets what moved before. */
void dice_sensor_arm(struct dice_sensor *sensor, uint32_t now);
/* One sample a millisecond. `is_idle`: nothing runs, so the level at rest may follow slow drift (tilt, temperature).
   Returns the strength of a tumble that was proven just now, thousandths of g, or 0. */
uint16_t dice_sensor_step(struct dice_sensor *sensor, uint16_t sample, uint32_t now, bool is_idle);

#endif
