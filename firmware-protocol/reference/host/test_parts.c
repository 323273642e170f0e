/* CRC, line reader, memory ring, dice sensor and guard, each for itself. */
#include <string.h>

#include "../src/config.h"
#include "../src/crc16.h"
#include "../src/dice_sensor.h"
#include "../src/drive.h"
#include "../src/line_reader.h"
#include "../src/memory.h"
#include "check.h"
#include "hal_host.h"

static void crc_has_its_check_value(void) {
  uint16_t crc = CRC16_START;
  for (const char *at = "123456789"; *at != '\0'; at++) crc = crc16_next(crc, (uint8_t)*at);
  CHECK(crc == 0x29B1);
  check_passed("the CRC of 123456789 is 29B1");
}

static uint8_t line_of(uint16_t bytes, bool has_cr) {
  struct line_reader reader = {{0}, 0};
  uint8_t length = 0;
  for (uint16_t i = 0; i < bytes; i++) CHECK(!line_reader_take(&reader, 'x', &length));
  if (has_cr) CHECK(!line_reader_take(&reader, '\r', &length));
  return line_reader_take(&reader, '\n', &length) ? length : 0;
}

static void reader_is_bounded(void) {
  CHECK(line_of(0, false) == 0);
  CHECK(line_of(0, true) == 0);
  CHECK(line_of(128, false) == 128);
  CHECK(line_of(127, true) == 127);
  CHECK(line_of(129, false) == 0);
  CHECK(line_of(128, true) == 0);
  CHECK(line_of(60000, false) == 0);
  check_passed("drops a line of more than 128 bytes up to its LF, and an empty one");
}

static struct memory remembered(uint32_t boot, uint32_t order) {
  struct memory memory = {boot, {order, KIND_SHAKE, OUTCOME_SETTLED, 1, 4}, false, true};
  return memory;
}

static void memory_keeps_the_newest(void) {
  struct memory memory;
  host_reset();
  memory_load(&memory);
  CHECK(memory.boot == 0 && memory.last.order == 0 && memory.last.kind == KIND_NONE);
  /* More than twice around the ring, and over the wrap of the slots' numbers. */
  for (uint32_t order = 1; order <= 70000; order++) {
    struct memory written = remembered(7, order);
    CHECK(memory_store(&written));
    if (order % 997 != 0) continue;
    memory_load(&memory);
    CHECK(memory.last.order == order && memory.boot == 7 && memory.is_tampered && !memory.is_jammed && memory.last.tumbles == 4);
  }
  check_passed("the memory keeps the newest of 70,000 records");
}

static void memory_survives_a_cut_write(void) {
  for (int32_t bytes = 0; bytes < (int32_t)MEMORY_SLOT_BYTES; bytes++) {
    struct memory memory;
    struct memory first = remembered(1, 100);
    struct memory second = remembered(2, 0x01020304);
    host_reset();
    memory_load(&memory);
    CHECK(memory_store(&first));
    host.eeprom_cut = bytes;
    (void)memory_store(&second);
    memory_load(&memory);
    CHECK(memory.last.order == 100 || memory.last.order == 0x01020304);
    if (memory.last.order == 100) CHECK(memory.boot == 1);
    else CHECK(memory.boot == 2);
  }
  check_passed("power lost at any byte of a write leaves the record before or the new one");
}

static void memory_wears_evenly(void) {
  struct memory memory;
  host_reset();
  memory_load(&memory);
  for (uint32_t order = 1; order <= 620; order++) {
    struct memory written = remembered(1, order);
    CHECK(memory_store(&written));
  }
  /* 620 records of at most 16 bytes over 62 slots. */
  CHECK(host.eeprom_writes <= 620u * MEMORY_SLOT_BYTES);
  host.is_eeprom_dead = true;
  struct memory lost = remembered(9, 9);
  CHECK(!memory_store(&lost));
  check_passed("a memory that does not hold what was written is noticed");
}

static void id_is_checked(void) {
  char id[MEMORY_ID_CHARS + 1u];
  host_reset();
  memory_load_id(id);
  CHECK(strcmp(id, DEFAULT_DEVICE_ID) == 0);
  memcpy(host.eeprom + MEMORY_ID_ADDRESS, "TABLE-7.shaker_1x", 16);
  memory_load_id(id);
  CHECK(strcmp(id, "TABLE-7.shaker_1") == 0);
  check_passed("the board's name comes from its memory");
}

/* One blow of `counts` over `ms` samples from `now` on; returns the strength that was proven at its end. */
static uint16_t blow(struct dice_sensor *sensor, uint16_t counts, uint8_t ms, uint32_t *now) {
  uint16_t strength = 0;
  for (uint8_t i = 0; i < ms; i++) CHECK(dice_sensor_step(sensor, (uint16_t)(512 + counts), (*now)++, false) == 0);
  strength = dice_sensor_step(sensor, 512, (*now)++, false);
  return strength;
}

static void sensor_measures_tumbles(void) {
  struct dice_sensor sensor;
  uint32_t now = 1000;
  dice_sensor_start(&sensor, 512, now);
  CHECK(blow(&sensor, 100, 5, &now) == 5143); /* 100 counts * 51.4375 thousandths of g */
  CHECK(sensor.moved_ms == now - 1);
  CHECK(blow(&sensor, 100, 5, &now) == 0); /* 6 ms after the first: the same tumble */
  now += 60;
  CHECK(blow(&sensor, 9, 5, &now) == 0); /* 463: under the limit of 500 */
  CHECK(blow(&sensor, 10, 5, &now) == 514);
  for (uint32_t i = 0; i < 20000; i++) CHECK(dice_sensor_step(&sensor, 514, now++, true) == 0);
  CHECK(blow(&sensor, 2 + 100, 5, &now) == 5143); /* the level has followed the tilt */
  check_passed("a blow above the limit is a tumble with its strength; a bounce is none");
}

static void guard_stops_the_drives(void) {
  host_reset();
  drive_motor_start(0);
  CHECK(host.motor_duty == 1);
  drive_step(SOFT_START_MS / 2);
  CHECK(host.motor_duty > 90 && host.motor_duty < 110);
  drive_step(SOFT_START_MS);
  CHECK(host.motor_duty == MOTOR_DUTY);
  for (uint16_t ms = 0; ms < MOTOR_MS_MAX; ms++) drive_guard();
  CHECK(host.motor_duty == MOTOR_DUTY);
  for (uint16_t ms = 0; ms < 75; ms++) drive_guard();
  CHECK(host.motor_duty == 0);
  drive_step(9000);
  CHECK(host.motor_duty == 0);
  drive_cover_start(COVER_DRIVE_OPEN);
  host.contacts[CONTACT_STOP] = true;
  drive_guard();
  CHECK(host.cover_drive == COVER_DRIVE_OFF);
  drive_stop();
  check_passed("the guard stops the drives after their maximum, and at once when the emergency stop is pressed");
}

void test_parts(void) {
  crc_has_its_check_value();
  reader_is_bounded();
  memory_keeps_the_newest();
  memory_survives_a_cut_write();
  memory_wears_evenly();
  id_is_checked();
  sensor_measures_tumbles();
  guard_stops_the_drives();
}
