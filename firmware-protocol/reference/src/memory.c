#include "memory.h"

#include <string.h>

#include "config.h"
#include "crc16.h"
#include "hal.h"

#define CRC_AT 14u
#define KIND_BITS 6
#define JAM_BIT 0x20u
#define TAMPER_BIT 0x10u

/* Slot and number of the newest record. */
static uint8_t newest_slot = MEMORY_SLOTS - 1u;
static uint16_t newest_number;

static uint16_t slot_address(uint8_t slot) { return (uint16_t)slot * MEMORY_SLOT_BYTES; }

static uint16_t crc_of(const uint8_t *bytes) {
  uint16_t crc = CRC16_START;
  for (uint8_t i = 0; i < CRC_AT; i++) crc = crc16_next(crc, bytes[i]);
  return crc;
}

static uint16_t get_u16(const uint8_t *at) { return (uint16_t)(at[0] | (uint16_t)at[1] << 8); }

static uint32_t get_u32(const uint8_t *at) { return (uint32_t)get_u16(at) | (uint32_t)get_u16(at + 2) << 16; }

static void set_u16(uint8_t *at, uint16_t value) {
  at[0] = (uint8_t)value;
  at[1] = (uint8_t)(value >> 8);
}

static void set_u32(uint8_t *at, uint32_t value) {
  set_u16(at, (uint16_t)value);
  set_u16(at + 2, (uint16_t)(value >> 16));
}

static bool read_slot(uint8_t slot, uint8_t *bytes) {
  for (uint8_t i = 0; i < MEMORY_SLOT_BYTES; i++) bytes[i] = hal_eeprom_read(slot_address(slot) + i);
  return get_u16(bytes + CRC_AT) == crc_of(bytes) && (bytes[10] & 0x0Fu) < OUTCOME_COUNT && (bytes[10] >> KIND_BITS) <= KIND_COVER;
}

void memory_load(struct memory *memory) {
  uint8_t bytes[MEMORY_SLOT_BYTES];
  bool is_any = false;
  newest_slot = MEMORY_SLOTS - 1u;
  newest_number = 0;
  memset(memory, 0, sizeof *memory);
  for (uint8_t slot = 0; slot < MEMORY_SLOTS; slot++) {
    if (!read_slot(slot, bytes)) continue;
    uint16_t number = get_u16(bytes);
    /* Numbers wrap around; all of the ring lie near each other. */
    if (is_any && (int16_t)(uint16_t)(number - newest_number) <= 0) continue;
    is_any = true;
    newest_slot = slot;
    newest_number = number;
    memory->boot = get_u32(bytes + 2);
    memory->last.order = get_u32(bytes + 6);
    memory->last.kind = (enum order_kind)(bytes[10] >> KIND_BITS);
    memory->last.outcome = (enum outcome)(bytes[10] & 0x0Fu);
    memory->is_jammed = (bytes[10] & JAM_BIT) != 0;
    memory->is_tampered = (bytes[10] & TAMPER_BIT) != 0;
    memory->last.activations = bytes[11];
    memory->last.tumbles = bytes[12];
  }
}

bool memory_store(const struct memory *memory) {
  uint8_t bytes[MEMORY_SLOT_BYTES] = {0};
  uint8_t read_back[MEMORY_SLOT_BYTES];
  newest_slot = (uint8_t)((newest_slot + 1u) % MEMORY_SLOTS);
  newest_number++;
  set_u16(bytes, newest_number);
  set_u32(bytes + 2, memory->boot);
  set_u32(bytes + 6, memory->last.order);
  bytes[10] = (uint8_t)((uint8_t)(memory->last.kind << KIND_BITS) | (memory->is_jammed ? JAM_BIT : 0u) |
                        (memory->is_tampered ? TAMPER_BIT : 0u) | (uint8_t)memory->last.outcome);
  bytes[11] = memory->last.activations;
  bytes[12] = memory->last.tumbles;
  set_u16(bytes + CRC_AT, crc_of(bytes));
  for (uint8_t i = 0; i < MEMORY_SLOT_BYTES; i++) {
    uint16_t address = slot_address(newest_slot) + i;
    if (hal_eeprom_read(address) != bytes[i]) hal_eeprom_write(address, bytes[i]);
    hal_feed_watchdog();
  }
  return read_slot(newest_slot, read_back) && memcmp(bytes, read_back, MEMORY_SLOT_BYTES) == 0;
}

static bool is_id_char(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '.' || c == '_' || c == '-';
}

void memory_load_id(char *id) {
  uint8_t count = 0;
  while (count < MEMORY_ID_CHARS) {
    char c = (char)hal_eeprom_read(MEMORY_ID_ADDRESS + count);
    if (!is_id_char(c)) break;
    id[count++] = c;
  }
  id[count] = '\0';
  if (count == 0) strcpy(id, DEFAULT_DEVICE_ID);
}
