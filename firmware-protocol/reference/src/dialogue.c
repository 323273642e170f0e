#include "dialogue.h"

#include "hal.h"
#include "line_writer.h"

static uint16_t session;
static uint16_t event_number;
static uint32_t boot;

void dialogue_start(uint32_t boot_counter) {
  session = NO_SESSION;
  event_number = 0;
  boot = boot_counter;
}

void dialogue_set_session(uint16_t tag) { session = tag; }

bool dialogue_has_session(void) { return session != NO_SESSION; }

bool dialogue_is_of_session(const struct request *request) { return request->session == session; }

static void start_line(char kind, uint16_t number) {
  struct line_head head = {kind, number, session, boot};
  line_start(&head);
}

void dialogue_answer(uint16_t number) { start_line('<', number); }

void dialogue_event(void) {
  event_number = event_number == 65535u ? 1u : (uint16_t)(event_number + 1u);
  start_line('!', event_number);
}

void dialogue_send_event(void) {
  uint8_t length;
  const uint8_t *line = line_finish(&length);
  hal_send(line, length);
}

/* An LF before each answer ends whatever the line before it left open. */
void dialogue_send_answer(void) {
  static const uint8_t lf = '\n';
  uint8_t length;
  const uint8_t *line = line_finish(&length);
  hal_send(&lf, 1);
  hal_send(line, length);
}
