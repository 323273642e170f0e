/* The shaker's state machine (../../README.md sections 3 to 6). */
#ifndef SHAKER_H
#define SHAKER_H
#include <stdint.h>

#include "words.h"

/* Reads the memory, raises the boot counter, runs the self-test, says the banner. Once per start, with samples and contacts valid. */
void shaker_start(enum boot_cause cause);
/* Takes what the host sent, then looks at sensors and deadlines if a millisecond has passed. Call as often as possible. */
void shaker_poll(void);

#endif
