#include "request.h"

#include <string.h>

#include "crc16.h"
#include "flash_text.h"

#define TAIL_BYTES 7u /* "*", two digits of length, four of CRC */
#define LINE_BYTES_MAX 127u

/* What of the body is not yet read. */
struct cursor {
  const uint8_t *at;
  const uint8_t *end;
};

/* 0 to 15, or 255 for anything but a digit or one of the six letters from `letter_a` on. */
static uint8_t hex_value(uint8_t c, uint8_t letter_a) {
  if (c >= '0' && c <= '9') return (uint8_t)(c - '0');
  if (c >= letter_a && c <= letter_a + 5) return (uint8_t)(c - letter_a + 10);
  return 255;
}

static bool read_hex(const uint8_t *at, uint8_t digits, uint8_t letter_a, uint16_t *value) {
  *value = 0;
  for (uint8_t i = 0; i < digits; i++) {
    uint8_t digit = hex_value(at[i], letter_a);
    if (digit == 255) return false;
    *value = (uint16_t)((uint16_t)(*value << 4) | digit);
  }
  return true;
}

static bool is_whole(const uint8_t *line, uint8_t length) {
  if (length <= TAIL_BYTES || length > LINE_BYTES_MAX) return false;
  for (uint8_t i = 0; i < length; i++) {
    if (line[i] < 0x20 || line[i] > 0x7E) return false;
  }
  uint8_t body = (uint8_t)(length - TAIL_BYTES);
  uint16_t told_length;
  uint16_t told_crc;
  if (line[body] != '*' || !read_hex(line + body + 1, 2, 'A', &told_length) || !read_hex(line + body + 3, 4, 'A', &told_crc)) return false;
  if (told_length != body) return false;
  uint16_t crc = CRC16_START;
  for (uint8_t i = 0; i < body + 3; i++) crc = crc16_next(crc, line[i]);
  return crc == told_crc;
}

/* Goes past `text` (in flash), or stays. */
static bool take_text(struct cursor *cursor, const char *text) {
  const uint8_t *at = cursor->at;
  for (char c = flash_char(text); c != '\0'; c = flash_char(++text)) {
    if (at == cursor->end || *at != (uint8_t)c) return false;
    at++;
  }
  cursor->at = at;
  return true;
}

/* A verb is followed by a space or the end. */
static bool take_verb(struct cursor *cursor, const char *text) {
  struct cursor after = *cursor;
  if (!take_text(&after, text) || (after.at != after.end && *after.at != ' ')) return false;
  *cursor = after;
  return true;
}

/* Decimal without sign or leading zeros, `min` to `max`. */
static bool take_number(struct cursor *cursor, uint32_t min, uint32_t max, uint32_t *value) {
  const uint8_t *start = cursor->at;
  uint32_t sum = 0;
  while (cursor->at != cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
    uint8_t digit = (uint8_t)(*cursor->at - '0');
    if (sum > (UINT32_MAX - digit) / 10u) return false;
    sum = sum * 10u + digit;
    cursor->at++;
  }
  if (cursor->at == start || (*start == '0' && cursor->at - start > 1)) return false;
  *value = sum;
  return sum >= min && sum <= max;
}

static bool take_u8(struct cursor *cursor, const char *key, uint8_t min, uint8_t *value) {
  uint32_t number;
  if (!take_text(cursor, key) || !take_number(cursor, min, 255, &number)) return false;
  *value = (uint8_t)number;
  return true;
}

static bool take_u32(struct cursor *cursor, const char *key, uint32_t min, uint32_t max, uint32_t *value) {
  return take_text(cursor, key) && take_number(cursor, min, max, value);
}

static bool take_order(struct cursor *cursor, struct request *request) {
  return take_u32(cursor, FLASH_TEXT(" order="), 1, 2147483647u, &request->order);
}

static bool take_by(struct cursor *cursor, struct request *request) {
  return take_u32(cursor, FLASH_TEXT(" by="), 0, UINT32_MAX, &request->by);
}

static bool take_position(struct cursor *cursor, struct request *request) {
  if (take_text(cursor, FLASH_TEXT(" to=open"))) {
    request->to_open = true;
    return true;
  }
  return take_text(cursor, FLASH_TEXT(" to=closed"));
}

static bool take_said(struct cursor *cursor, struct request *request) {
  if (take_verb(cursor, FLASH_TEXT("hello"))) {
    request->verb = VERB_HELLO;
    return take_u8(cursor, FLASH_TEXT(" protocol="), 0, &request->protocol);
  }
  if (take_verb(cursor, FLASH_TEXT("shake"))) {
    request->verb = VERB_SHAKE;
    return take_order(cursor, request) && take_u8(cursor, FLASH_TEXT(" activations="), 1, &request->activations) &&
           take_u8(cursor, FLASH_TEXT(" tumbles="), 1, &request->tumbles) && take_by(cursor, request);
  }
  if (take_verb(cursor, FLASH_TEXT("cover"))) {
    request->verb = VERB_COVER;
    return take_order(cursor, request) && take_position(cursor, request) && take_by(cursor, request);
  }
  if (take_verb(cursor, FLASH_TEXT("limits"))) request->verb = VERB_LIMITS;
  else if (take_verb(cursor, FLASH_TEXT("ping"))) request->verb = VERB_PING;
  else if (take_verb(cursor, FLASH_TEXT("status"))) request->verb = VERB_STATUS;
  else if (take_verb(cursor, FLASH_TEXT("last"))) request->verb = VERB_LAST;
  else if (take_verb(cursor, FLASH_TEXT("stop"))) request->verb = VERB_STOP;
  else if (take_verb(cursor, FLASH_TEXT("clear"))) request->verb = VERB_CLEAR;
  else return false;
  return true;
}

bool request_parse(const uint8_t *line, uint8_t length, struct request *request) {
  memset(request, 0, sizeof *request);
  if (!is_whole(line, length)) return false;
  struct cursor cursor = {line, line + length - TAIL_BYTES};
  uint32_t number;
  if (!take_text(&cursor, FLASH_TEXT(">")) || !take_number(&cursor, 1, 65535, &number)) return false;
  request->number = (uint16_t)number;
  if (!take_text(&cursor, FLASH_TEXT(" s=")) || cursor.end - cursor.at < 4) return false;
  if (!read_hex(cursor.at, 4, 'a', &request->session)) return false;
  cursor.at += 4;
  if (!take_text(&cursor, FLASH_TEXT(" ")) || !take_said(&cursor, request)) return false;
  return cursor.at == cursor.end;
}
