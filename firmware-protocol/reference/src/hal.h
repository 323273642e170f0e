/* All that the firmware asks of its hardware. Two implementations: ../avr/hal_avr.c and ../host/hal_host.c. Called from the main loop only,
   but for hal_drives_off and hal_is_safe, which the guard of drive.c calls from the timer's interrupt. */
#ifndef HAL_H
#define HAL_H
#include <stdbool.h>
#include <stdint.h>

enum hal_contact {
  CONTACT_LID,          /* true: lid open, or its wire broken */
  CONTACT_TAMPER,       /* true: case open, tilted, or its wire broken */
  CONTACT_STOP,         /* true: emergency stop pressed, or its wire broken */
  CONTACT_COVER_FITTED, /* true: this shaker has a cover */
  CONTACT_COVER_OPEN,   /* true: the cover stands at its open end */
  CONTACT_COVER_CLOSED  /* true: the cover stands at its closed end */
};
#define CONTACT_COUNT 6u

/* 10 bits, 3.3 V full scale: motor supply, motor current, acceleration. */
enum hal_channel { CHANNEL_SUPPLY, CHANNEL_CURRENT, CHANNEL_ACCEL };

enum hal_cover_drive { COVER_DRIVE_OFF, COVER_DRIVE_OPEN, COVER_DRIVE_CLOSE };

/* Time since the start in ms, wraps around. */
uint32_t hal_up(void);
/* Next byte from the host, or -1. */
int16_t hal_receive(void);
/* Sends a whole line. Waits while the transmitter drains, at most as long as a line takes (12 ms). */
void hal_send(const uint8_t *line, uint8_t length);
/* Motor drive on with this strength of 255; 0: off. */
void hal_motor(uint8_t duty);
void hal_cover_drive(enum hal_cover_drive drive);
/* Both drives off at once. */
void hal_drives_off(void);
bool hal_contact(enum hal_contact contact);
/* Lid closed and emergency stop not pressed, straight from the pins. */
bool hal_is_safe(void);
/* Newest sample, at most 1 ms old. */
uint16_t hal_sample(enum hal_channel channel);
uint8_t hal_eeprom_read(uint16_t address);
/* Returns when the byte is stored (3.4 ms). */
void hal_eeprom_write(uint16_t address, uint8_t value);
/* Tells the watchdog (500 ms) that the main loop runs. */
void hal_feed_watchdog(void);

#endif
