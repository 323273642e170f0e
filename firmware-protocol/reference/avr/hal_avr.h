#ifndef HAL_AVR_H
#define HAL_AVR_H
#include <stdbool.h>

/* Drives off, then timers, ADC, UART and interrupts. Returns when all inputs have been sampled. */
void hal_avr_start(void);
/* Bytes of the host wait to be read. */
bool hal_avr_has_received(void);

#endif
