/* Motor and cover drive: soft start, and a guard in the timer's interrupt that stops both whatever the main loop does. */
#ifndef DRIVE_H
#define DRIVE_H
#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

void drive_motor_start(uint32_t now);
void drive_cover_start(enum hal_cover_drive direction);
/* Everything off. */
void drive_stop(void);
/* Soft start; once a millisecond. */
void drive_step(uint32_t now);
bool drive_is_motor_on(void);
/* Once a millisecond, from the timer's interrupt: drives off when a maximum duration has passed, the lid is open or the emergency stop is pressed. */
void drive_guard(void);

#endif
