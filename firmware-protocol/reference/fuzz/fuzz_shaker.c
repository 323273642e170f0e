/* The whole firmware under libFuzzer: a course of requests, raw bytes, faults, time and power cuts. Whatever comes, each line that it says is whole, and
   nothing moves that must not. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/hal_host.h"
#include "../src/config.h"
#include "../src/crc16.h"
#include "../src/drive.h"
#include "../src/memory.h"
#include "../src/shaker.h"

static uint32_t heard_ms;
static uint32_t motor_ms;
static uint32_t answers;
static uint32_t requests;

static void check_line(const uint8_t *line, uint8_t length) {
  if (length == 1 && line[0] == '\n') return;
  if (length < 20 || length > 128 || line[length - 1] != '\n') abort();
  uint16_t crc = CRC16_START;
  char tail[8];
  for (uint8_t i = 0; i < length - 5; i++) {
    if (line[i] < 0x20 || line[i] > 0x7E) abort();
    crc = crc16_next(crc, line[i]);
  }
  snprintf(tail, sizeof tail, "*%02X", (unsigned)(length - 8));
  if (memcmp(line + length - 8, tail, 3) != 0) abort();
  snprintf(tail, sizeof tail, "%04X", (unsigned)crc);
  if (memcmp(line + length - 5, tail, 4) != 0) abort();
  if (line[0] == '<') answers++;
}

static void ask(uint16_t session, const char *words) {
  char line[200];
  int length = snprintf(line, sizeof line, ">%u s=%04x %s", (unsigned)(requests % 65535u + 1u), (unsigned)session, words);
  length += snprintf(line + length, sizeof line - (size_t)length, "*%02X", (unsigned)length);
  uint16_t crc = CRC16_START;
  for (int i = 0; i < length; i++) crc = crc16_next(crc, (uint8_t)line[i]);
  length += snprintf(line + length, sizeof line - (size_t)length, "%04X\n", (unsigned)crc);
  if (host_waiting() > 0) return;
  /* Ends what raw bytes left open. */
  host_send("\n", 1);
  host_send(line, (uint32_t)length);
  uint32_t before = answers;
  requests++;
  for (int i = 0; i < 8 && host_waiting() > 0; i++) shaker_poll();
  /* Each valid request has exactly one answer. */
  if (answers != before + 1u) abort();
  heard_ms = host.up;
}

static void check_safe(void) {
  bool moves = host.motor_duty > 0 || host.cover_drive != COVER_DRIVE_OFF;
  motor_ms = moves ? motor_ms + 1u : 0;
  if (motor_ms > MOTOR_MS_MAX + 1u) abort();
  if (moves && host.up - heard_ms > QUIET_MS_MAX + 1u) abort();
  if (moves && (host.contacts[CONTACT_LID] || host.contacts[CONTACT_STOP])) abort();
  if (host.motor_duty > 0 && host.cover_drive != COVER_DRIVE_OFF) abort();
  struct memory stored;
  if (!moves) return;
  /* What moves is on record as running. Looking it up takes a load, which finds the same slot again. */
  memory_load(&stored);
  if (stored.last.outcome != OUTCOME_RUNNING) abort();
}

static void pass(uint32_t ms, uint8_t blows) {
  while (ms-- > 0) {
    host.up++;
    host.samples[CHANNEL_ACCEL] = blows > 0 && host.motor_duty > 0 && host.up % (80u + blows) < 6u ? 700 : 512;
    drive_guard();
    shaker_poll();
    if (host_waiting() == 0 || ms == 0) check_safe();
  }
}

static const uint8_t *at;
static const uint8_t *end;

static uint8_t take(void) { return at < end ? *at++ : 0; }

static uint16_t take_session(void) { return (take() & 7u) != 0 ? 0x5e1fu : take(); }

static void do_one(void) {
  char words[128];
  uint8_t op = take();
  uint16_t session = (op & 0x80u) != 0 ? take_session() : 0x5e1fu;
  switch (op & 0x1Fu) {
    case 0: ask(session, "hello protocol=1"); break;
    case 1: ask(session, "status"); break;
    case 2: ask(session, "last"); break;
    case 3: ask(session, "stop"); break;
    case 4: ask(session, "clear"); break;
    case 5: ask(session, "ping"); break;
    case 6: ask(session, "limits"); break;
    case 7: ask(session, "hello protocol=2"); break;
    case 8:
    case 9: {
      unsigned order = take() + 1u, activations = take() % 7u + 1u, tumbles = take() % 11u + 1u;
      snprintf(words, sizeof words, "shake order=%u activations=%u tumbles=%u by=%u", order, activations, tumbles, host.up + (take() < 250 ? 1000u : 0u));
      ask(session, words);
      break;
    }
    case 10: {
      unsigned order = take() + 1u;
      snprintf(words, sizeof words, "cover order=%u to=%s by=%u", order, (take() & 1u) != 0 ? "open" : "closed", host.up + 1000u);
      ask(session, words);
      break;
    }
    case 11: {
      uint8_t raw[64];
      uint8_t count = take() % sizeof raw;
      for (uint8_t i = 0; i < count; i++) raw[i] = take();
      host_send(raw, count);
      break;
    }
    case 12: pass(take(), 0); break;
    case 13: pass(take(), 40); break;
    case 14: pass(take() * 12u, take() & 63u); break;
    case 15: host.contacts[take() % CONTACT_COUNT] = (take() & 1u) != 0; break;
    case 16: host.samples[CHANNEL_CURRENT] = (take() & 1u) != 0 ? STALL_COUNTS : 0; break;
    case 17: host.samples[CHANNEL_SUPPLY] = (take() & 1u) != 0 ? SUPPLY_OK_COUNTS : SUPPLY_LOW_COUNTS - 1u; break;
    case 18: host.eeprom_cut = take() & 31; break;
    case 19:
      host.eeprom_cut = -1;
      host_restart();
      heard_ms = 0;
      motor_ms = 0;
      shaker_start(BOOT_RESET);
      if (host.motor_duty > 0 || host.cover_drive != COVER_DRIVE_OFF) abort();
      break;
    default: pass(op & 0x1Fu, 40); break;
  }
  pass(1, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  at = data;
  end = data + size;
  host.on_line = check_line;
  host_reset();
  heard_ms = motor_ms = 0;
  shaker_start(BOOT_POWER);
  for (int i = 0; i < 200 && at < end; i++) do_one();
  return 0;
}
