/* Builds one line for the host in a buffer of its own: head, fields, length and CRC (../../README.md sections 1 and 2). */
#ifndef LINE_WRITER_H
#define LINE_WRITER_H
#include <stdint.h>

struct line_head {
  char kind; /* '<' answer, '!' event */
  uint16_t number;
  uint16_t session;
  uint32_t boot;
};

/* Begins a line and writes its head up to the verb. */
void line_start(const struct line_head *head);
/* Writes a text from flash (flash_text.h), a text from RAM, a number. */
void line_text(const char *flash);
void line_ram_text(const char *text);
void line_number(uint32_t value);
/* `key` in flash, with its space before and "=" behind. */
void line_field(const char *key, uint32_t value);
void line_word(const char *key, const char *flash_word);
/* Adds length, CRC and LF. `*length` bytes stay valid until the next line_start. */
const uint8_t *line_finish(uint8_t *length);

#endif
