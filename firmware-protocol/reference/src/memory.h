/* What is kept over power loss (../../README.md sections 2 and 4). A ring of 62 slots of 16 bytes from address 0 on, each with a number and a CRC; the
   newest valid one wins, so a write that was cut off leaves the one before. Two writes a shake spread over 62 slots of 100,000 writes: 3 million shakes.
   Slot, little endian: number u16 | boot u32 | order u32 | kind, 2 bits, jam, tamper, outcome, 4 bits: u8 | activations u8 | tumbles u8 | 0 | CRC-16 of these 14.
   From address 992 on: the board's name, up to 16 characters, then 0xFF or 0. */
#ifndef MEMORY_H
#define MEMORY_H
#include <stdbool.h>
#include <stdint.h>

#include "say.h"

#define MEMORY_SLOTS 62u
#define MEMORY_SLOT_BYTES 16u
#define MEMORY_ID_ADDRESS 992u
#define MEMORY_ID_CHARS 16u

struct memory {
  uint32_t boot;
  struct last last;
  bool is_jammed;
  bool is_tampered;
};

/* Reads the newest valid slot; all zero where there is none. */
void memory_load(struct memory *memory);
/* Writes the next slot and reads it back (about 54 ms). False when it does not hold what was written. */
bool memory_store(const struct memory *memory);
/* The board's name into `id` (MEMORY_ID_CHARS + 1 bytes); DEFAULT_DEVICE_ID where none, or an illegal one, is stored. */
void memory_load_id(char *id);

#endif
