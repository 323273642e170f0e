/* The hardware of the host build: pins, samples, EEPROM and time are plain variables that a test sets. */
#ifndef HAL_HOST_H
#define HAL_HOST_H
#include <stdbool.h>
#include <stdint.h>

#include "../src/hal.h"

#define HOST_EEPROM_BYTES 1024u

struct host {
  uint32_t up;
  bool contacts[CONTACT_COUNT];
  uint16_t samples[3];
  uint8_t eeprom[HOST_EEPROM_BYTES];
  bool is_eeprom_dead;     /* writes change nothing */
  uint32_t eeprom_writes;  /* bytes written */
  int32_t eeprom_cut;      /* power fails after so many bytes more; -1: never */
  uint8_t motor_duty;
  enum hal_cover_drive cover_drive;
  uint32_t drive_starts; /* of motor and cover */
  /* Gets every line that the firmware sends. */
  void (*on_line)(const uint8_t *line, uint8_t length);
};

extern struct host host;

/* A healthy machine at rest, blank EEPROM, cover closed, time 0. Keeps on_line. */
void host_reset(void);
/* The time starts at 0 again and nothing is waiting; pins and EEPROM stay. */
void host_restart(void);
/* Bytes that the firmware will read; at most 64 KB wait. */
void host_send(const void *bytes, uint32_t count);
/* Bytes that were not read yet. */
uint32_t host_waiting(void);

#endif
