#include "line_writer.h"

#include "crc16.h"
#include "flash_text.h"

#define BODY_BYTES_MAX 120u
#define LINE_BYTES 128u

static uint8_t line[LINE_BYTES];
static uint8_t used;

/* The longest body of the protocol has 118 bytes; the bound keeps a mistake from writing past the buffer. */
static void put(uint8_t byte) {
  if (used < BODY_BYTES_MAX) line[used++] = byte;
}

static uint8_t hex_digit(uint8_t value, uint8_t letter_a) { return (uint8_t)(value < 10 ? '0' + value : letter_a + value - 10); }

void line_start(const struct line_head *head) {
  used = 0;
  put((uint8_t)head->kind);
  line_number(head->number);
  line_text(FLASH_TEXT(" s="));
  for (uint8_t i = 0; i < 4; i++) put(hex_digit((uint8_t)((head->session >> (12 - 4 * i)) & 0x0Fu), 'a'));
  line_field(FLASH_TEXT(" boot="), head->boot);
  put(' ');
}

void line_text(const char *flash) {
  for (char c = flash_char(flash); c != '\0'; c = flash_char(++flash)) put((uint8_t)c);
}

void line_ram_text(const char *text) {
  while (*text != '\0') put((uint8_t)*text++);
}

void line_number(uint32_t value) {
  uint8_t digits[10];
  uint8_t count = 0;
  do {
    digits[count++] = (uint8_t)('0' + value % 10u);
    value /= 10u;
  } while (value > 0);
  while (count > 0) put(digits[--count]);
}

void line_field(const char *key, uint32_t value) {
  line_text(key);
  line_number(value);
}

void line_word(const char *key, const char *flash_word) {
  line_text(key);
  line_text(flash_word);
}

const uint8_t *line_finish(uint8_t *length) {
  uint8_t body = used;
  line[used++] = '*';
  line[used++] = hex_digit(body >> 4, 'A');
  line[used++] = hex_digit(body & 0x0Fu, 'A');
  uint16_t crc = CRC16_START;
  for (uint8_t i = 0; i < used; i++) crc = crc16_next(crc, line[i]);
  for (uint8_t i = 0; i < 4; i++) line[used++] = hex_digit((uint8_t)((crc >> (12 - 4 * i)) & 0x0Fu), 'A');
  line[used++] = '\n';
  *length = used;
  return line;
}
