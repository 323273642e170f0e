/* The parser under libFuzzer. The input is a line; with its first byte odd it gets length and CRC, so that the fuzzer reaches the grammar. A line that
   is accepted must be the very line that its meaning is written as: no other spelling, nothing that was not said. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/crc16.h"
#include "../src/line_reader.h"
#include "../src/request.h"

static const char *const verbs[] = {"hello", "limits", "ping", "status", "last", "shake", "cover", "stop", "clear"};

static size_t finish(char *line, size_t length) {
  length += (size_t)sprintf(line + length, "*%02X", (unsigned)length);
  uint16_t crc = CRC16_START;
  for (size_t i = 0; i < length; i++) crc = crc16_next(crc, (uint8_t)line[i]);
  return length + (size_t)sprintf(line + length, "%04X", (unsigned)crc);
}

static size_t write_request(char *line, const struct request *r) {
  int used = sprintf(line, ">%u s=%04x %s", (unsigned)r->number, (unsigned)r->session, verbs[r->verb]);
  char *rest = line + used;
  if (r->verb == VERB_HELLO) used += sprintf(rest, " protocol=%u", (unsigned)r->protocol);
  if (r->verb == VERB_SHAKE)
    used += sprintf(rest, " order=%u activations=%u tumbles=%u by=%u", (unsigned)r->order, (unsigned)r->activations, (unsigned)r->tumbles, (unsigned)r->by);
  if (r->verb == VERB_COVER) used += sprintf(rest, " order=%u to=%s by=%u", (unsigned)r->order, r->to_open ? "open" : "closed", (unsigned)r->by);
  return finish(line, (size_t)used);
}

static void check_line(const uint8_t *line, uint8_t length) {
  struct request request;
  char written[256];
  if (!request_parse(line, length, &request)) return;
  if (request.number == 0) abort();
  if ((request.verb == VERB_SHAKE || request.verb == VERB_COVER) && (request.order == 0 || request.order > 2147483647u)) abort();
  if (write_request(written, &request) != length || memcmp(written, line, length) != 0) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct line_reader reader = {{0}, 0};
  uint8_t length;
  char line[256];
  if (size < 1) return 0;
  bool is_finished = (data[0] & 1u) != 0 && size <= 121;
  memcpy(line, data + 1, size - 1 < 120 ? size - 1 : 120);
  size_t count = is_finished ? finish(line, size - 1) : size - 1;
  const uint8_t *bytes = is_finished ? (const uint8_t *)line : data + 1;
  for (size_t i = 0; i < count; i++) {
    if (line_reader_take(&reader, bytes[i], &length)) check_line(reader.bytes, length);
    if (reader.count > LINE_READER_BYTES + 1u) abort();
  }
  if (line_reader_take(&reader, '\n', &length)) check_line(reader.bytes, length);
  return 0;
}
