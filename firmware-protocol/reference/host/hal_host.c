#include "hal_host.h"

#include <string.h>

#include "../src/config.h"

#define WAITING_MAX 65536u

struct host host;
static uint8_t waiting[WAITING_MAX];
static uint32_t waiting_from;
static uint32_t waiting_to;

void host_reset(void) {
  void (*on_line)(const uint8_t *line, uint8_t length) = host.on_line;
  memset(&host, 0, sizeof host);
  memset(host.eeprom, 0xFF, sizeof host.eeprom);
  host.on_line = on_line;
  host.eeprom_cut = -1;
  host.contacts[CONTACT_COVER_FITTED] = true;
  host.contacts[CONTACT_COVER_CLOSED] = true;
  host.samples[CHANNEL_SUPPLY] = SUPPLY_OK_COUNTS + 50u;
  host.samples[CHANNEL_ACCEL] = 512;
  host_restart();
}

void host_restart(void) {
  host.up = 0;
  host.motor_duty = 0;
  host.cover_drive = COVER_DRIVE_OFF;
  waiting_from = 0;
  waiting_to = 0;
}

void host_send(const void *bytes, uint32_t count) {
  if (waiting_from == waiting_to) waiting_from = waiting_to = 0;
  if (count > WAITING_MAX - waiting_to) count = WAITING_MAX - waiting_to;
  memcpy(waiting + waiting_to, bytes, count);
  waiting_to += count;
}

uint32_t host_waiting(void) { return waiting_to - waiting_from; }

uint32_t hal_up(void) { return host.up; }

int16_t hal_receive(void) { return waiting_from == waiting_to ? (int16_t)-1 : (int16_t)waiting[waiting_from++]; }

void hal_send(const uint8_t *line, uint8_t length) {
  if (host.on_line) host.on_line(line, length);
}

void hal_motor(uint8_t duty) {
  if (host.motor_duty == 0 && duty > 0) host.drive_starts++;
  host.motor_duty = duty;
}

void hal_cover_drive(enum hal_cover_drive drive) {
  if (drive != COVER_DRIVE_OFF) host.drive_starts++;
  host.cover_drive = drive;
}

void hal_drives_off(void) {
  host.motor_duty = 0;
  host.cover_drive = COVER_DRIVE_OFF;
}

bool hal_contact(enum hal_contact contact) { return host.contacts[contact]; }

bool hal_is_safe(void) { return !host.contacts[CONTACT_LID] && !host.contacts[CONTACT_STOP]; }

uint16_t hal_sample(enum hal_channel channel) { return host.samples[channel]; }

uint8_t hal_eeprom_read(uint16_t address) { return host.eeprom[address]; }

void hal_eeprom_write(uint16_t address, uint8_t value) {
  host.eeprom_writes++;
  if (host.is_eeprom_dead || host.eeprom_cut == 0) return;
  if (host.eeprom_cut > 0) host.eeprom_cut--;
  host.eeprom[address] = value;
}

void hal_feed_watchdog(void) {}
