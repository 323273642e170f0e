/* The session, the numbers of events, and the way of a line to the host. */
#ifndef DIALOGUE_H
#define DIALOGUE_H
#include <stdbool.h>
#include <stdint.h>

#include "request.h"

#define NO_SESSION 0u

/* No session, events from 1 on, lines with this boot counter. */
void dialogue_start(uint32_t boot_counter);
void dialogue_set_session(uint16_t tag);
bool dialogue_has_session(void);
/* The request bears the tag of the session, or 0000 where there is none. */
bool dialogue_is_of_session(const struct request *request);
/* Begins an answer or an event; verb and fields follow by say.h, then the matching send. */
void dialogue_answer(uint16_t number);
void dialogue_send_answer(void);
void dialogue_event(void);
void dialogue_send_event(void);

#endif
