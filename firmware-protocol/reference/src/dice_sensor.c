#include "dice_sensor.h"

#include "config.h"

void dice_sensor_start(struct dice_sensor *sensor, uint16_t sample, uint32_t now) {
  sensor->level_x16 = (uint16_t)(sample << 4);
  dice_sensor_arm(sensor, now);
}

void dice_sensor_arm(struct dice_sensor *sensor, uint32_t now) {
  sensor->peak_milli_g = 0;
  sensor->is_in_blow = false;
  sensor->blow_ms = now - TUMBLE_GAP_MS;
  sensor->moved_ms = now;
}

uint16_t dice_sensor_step(struct dice_sensor *sensor, uint16_t sample, uint32_t now, bool is_idle) {
  uint16_t level = (uint16_t)((sensor->level_x16 + 8u) >> 4);
  uint16_t counts = sample > level ? (uint16_t)(sample - level) : (uint16_t)(level - sample);
  uint16_t milli_g = (uint16_t)(((uint32_t)counts * MILLI_G_PER_COUNT_X16) >> 4);
  if (is_idle && milli_g < MOTION_MILLI_G) {
    if ((uint16_t)(sample << 4) > sensor->level_x16) sensor->level_x16++;
    else if ((uint16_t)(sample << 4) < sensor->level_x16) sensor->level_x16--;
  }
  if (milli_g >= MOTION_MILLI_G) sensor->moved_ms = now;
  if (!sensor->is_in_blow) {
    if (milli_g < TUMBLE_MILLI_G) return 0;
    sensor->is_in_blow = true;
    sensor->peak_milli_g = milli_g;
    return 0;
  }
  if (milli_g > sensor->peak_milli_g) sensor->peak_milli_g = milli_g;
  if (milli_g >= TUMBLE_END_MILLI_G) return 0;
  sensor->is_in_blow = false;
  sensor->moved_ms = now;
  if (now - sensor->blow_ms < TUMBLE_GAP_MS) return 0;
  sensor->blow_ms = now;
  return sensor->peak_milli_g;
}
