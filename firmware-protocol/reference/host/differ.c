/* The firmware on this machine's clock, for the differential test: commands on standard input, what the firmware says on standard output.
   Commands, one a line: p MS pass | b HEX bytes from the host | l 0/1 lid open | s 0/1 supply low | t tamper for a moment | j the motor stalls |
   k 0/1 a hand opens the cover | r restart | q end. After each command it writes the lines that the firmware said meanwhile, then a line with a dot.
   The dice are `evenTumbles` of hardware-sim/shaker-physics.ts: a blow every 120 ms while the motor runs; the cover takes 800 ms. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/config.h"
#include "../src/drive.h"
#include "../src/shaker.h"
#include "hal_host.h"

#define COVER_MS 800u

/* When the drive that runs, or ran last, was started, and how many had been before it. */
static uint32_t drive_since;
static uint32_t drive_starts;

static void print_line(const uint8_t *line, uint8_t length) { fwrite(line, 1, length, stdout); }

/* What the machine does in the millisecond that has just begun. */
static void move_machine(void) {
  if (host.drive_starts != drive_starts) {
    drive_starts = host.drive_starts;
    drive_since = host.up - 1u;
  }
  uint32_t ran_ms = host.up - drive_since;
  host.samples[CHANNEL_ACCEL] = host.motor_duty > 0 && ran_ms % 120u >= 114u ? 612 : 512;
  if (host.motor_duty == 0) host.samples[CHANNEL_CURRENT] = 0;
  if (host.cover_drive == COVER_DRIVE_OFF) return;
  bool is_there = ran_ms >= COVER_MS;
  host.contacts[CONTACT_COVER_OPEN] = host.cover_drive == COVER_DRIVE_OPEN && is_there;
  host.contacts[CONTACT_COVER_CLOSED] = host.cover_drive == COVER_DRIVE_CLOSE && is_there;
}

static void pass(uint32_t ms) {
  while (ms-- > 0) {
    host.up++;
    move_machine();
    drive_guard();
    shaker_poll();
  }
}

static void take_bytes(const char *hex) {
  uint8_t bytes[4096];
  uint32_t count = 0;
  unsigned value;
  for (; count < sizeof bytes && sscanf(hex, "%2x", &value) == 1; hex += 2) bytes[count++] = (uint8_t)value;
  host_send(bytes, count);
  while (host_waiting() > 0) shaker_poll();
}

static void set_cover(bool is_open) {
  host.contacts[CONTACT_COVER_OPEN] = is_open;
  host.contacts[CONTACT_COVER_CLOSED] = !is_open;
}

int main(void) {
  static char row[8256];
  host.on_line = print_line;
  host_reset();
  shaker_start(BOOT_POWER);
  puts(".");
  fflush(stdout);
  while (fgets(row, sizeof row, stdin) != NULL && row[0] != 'q') {
    const char *value = row + 1 + strspn(row + 1, " ");
    bool is_on = value[0] == '1';
    /* A drive that was just started moves what it drives before a fault comes. */
    bool is_fault = strchr("lstjk", row[0]) != NULL;
    if (is_fault) pass(1);
    switch (row[0]) {
      case 'p': pass((uint32_t)strtoul(value, NULL, 10)); break;
      case 'b': take_bytes(value); break;
      case 'l': host.contacts[CONTACT_LID] = is_on; break;
      case 's': host.samples[CHANNEL_SUPPLY] = is_on ? SUPPLY_LOW_COUNTS - 1u : SUPPLY_OK_COUNTS + 50u; break;
      case 't': host.contacts[CONTACT_TAMPER] = true; break;
      case 'j': host.samples[CHANNEL_CURRENT] = STALL_COUNTS; break;
      case 'k': set_cover(is_on); break;
      case 'r':
        /* Somebody has put all in order meanwhile, as the model assumes. */
        host_restart();
        host.samples[CHANNEL_CURRENT] = 0;
        host.samples[CHANNEL_SUPPLY] = SUPPLY_OK_COUNTS + 50u;
        host.contacts[CONTACT_LID] = false;
        set_cover(false);
        shaker_start(BOOT_RESET);
        break;
      default: fprintf(stderr, "differ: no command %s", row); return 1;
    }
    /* Sensors are looked at once a millisecond, so faults take one to be seen. */
    if (is_fault) pass(1);
    if (row[0] == 't' || row[0] == 'j') {
      host.contacts[CONTACT_TAMPER] = false;
      pass(1);
    }
    puts(".");
    fflush(stdout);
  }
  return 0;
}
