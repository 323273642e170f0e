/* The golden lines: what a request means to the device, and that the device writes the very line for a meaning. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/config.h"
#include "../src/line_reader.h"
#include "../src/line_writer.h"
#include "../src/request.h"
#include "../src/say.h"
#include "check.h"

/* "\xNN" and "\r" to their bytes, in place. */
static uint8_t unescape(char *text) {
  char *to = text;
  for (const char *at = text; *at != '\0'; to++) {
    unsigned value;
    if (at[0] == '\\' && at[1] == 'x' && sscanf(at + 2, "%2x", &value) == 1) {
      *to = (char)value;
      at += 4;
    } else if (at[0] == '\\' && at[1] == 'r') {
      *to = '\r';
      at += 2;
    } else {
      *to = *at++;
    }
  }
  return (uint8_t)(to - text);
}

/* The line through reader and parser, as its meaning in the words of golden.txt. */
static void meaning_of(const uint8_t *line, uint8_t length, char *meaning, size_t size) {
  static const char *const verbs[] = {"hello", "limits", "ping", "status", "last", "shake", "cover", "stop", "clear"};
  struct line_reader reader = {{0}, 0};
  struct request r;
  uint8_t read_length = 0;
  for (uint8_t i = 0; i < length; i++) CHECK(!line_reader_take(&reader, line[i], &read_length));
  if (!line_reader_take(&reader, '\n', &read_length) || !request_parse(reader.bytes, read_length, &r)) {
    snprintf(meaning, size, "discarded");
    return;
  }
  int used = snprintf(meaning, size, "request %u %04x %s", r.number, r.session, verbs[r.verb]);
  char *rest = meaning + used;
  size -= (size_t)used;
  if (r.verb == VERB_HELLO) snprintf(rest, size, " protocol=%u", r.protocol);
  if (r.verb == VERB_SHAKE) snprintf(rest, size, " order=%u activations=%u tumbles=%u by=%u", r.order, r.activations, r.tumbles, r.by);
  if (r.verb == VERB_COVER) snprintf(rest, size, " order=%u to=%s by=%u", r.order, r.to_open ? "open" : "closed", r.by);
}

/* Value of " key=" in a meaning. */
static const char *word(const char *meaning, const char *key) {
  static char value[32];
  char pattern[24];
  snprintf(pattern, sizeof pattern, " %s=", key);
  const char *at = strstr(meaning, pattern);
  value[0] = '\0';
  if (at) sscanf(at + strlen(pattern), "%31s", value);
  return value;
}

static uint32_t number(const char *meaning, const char *key) { return (uint32_t)strtoul(word(meaning, key), NULL, 10); }

static uint8_t byte(const char *meaning, const char *key) { return (uint8_t)number(meaning, key); }

static bool is(const char *meaning, const char *key, const char *value) { return strcmp(word(meaning, key), value) == 0; }

static struct last last_of(const char *m) {
  struct last last = {number(m, "order"), KIND_NONE, OUTCOME_NONE, byte(m, "activations"), byte(m, "tumbles")};
  while (last.kind < KIND_COVER && !is(m, "kind", kind_word(last.kind))) last.kind++;
  while (last.outcome < OUTCOME_COVER_STUCK && !is(m, "outcome", outcome_word(last.outcome))) last.outcome++;
  return last;
}

static enum cover cover_of(const char *word_of_cover) {
  enum cover cover = COVER_NONE;
  while (cover < COVER_MOVING && strcmp(word_of_cover, cover_word(cover)) != 0) cover++;
  return cover;
}

static void say_answer(const char *verb, const char *m) {
  struct limits limits = {(uint16_t)number(m, "motor"), (uint16_t)number(m, "settle"), (uint16_t)number(m, "cover"),
                          (uint16_t)number(m, "quiet"), byte(m, "tumbles"),            byte(m, "activations")};
  if (!strcmp(verb, "hello")) {
    static char id[32];
    snprintf(id, sizeof id, "%s", word(m, "id"));
    say_hello(id, number(m, "up"));
  } else if (!strcmp(verb, "limits")) say_limits(&limits);
  else if (!strcmp(verb, "ping")) say_ping(number(m, "up"));
  else if (!strcmp(verb, "status")) {
    struct status s = {number(m, "up"), STATE_IDLE, is(m, "lid", "open"), COVER_NONE, is(m, "supply", "low"), is(m, "jam", "on"), is(m, "tamper", "on")};
    while (s.state < STATE_MOVING && !is(m, "state", state_word(s.state))) s.state++;
    s.cover = cover_of(word(m, "cover"));
    say_status(&s);
  } else if (!strcmp(verb, "last")) {
    struct last last = last_of(m);
    say_last(&last);
  } else if (!strcmp(verb, "shake")) say_taken(KIND_SHAKE, number(m, "order"), is(m, "taken", "again"));
  else if (!strcmp(verb, "cover")) say_taken(KIND_COVER, number(m, "order"), is(m, "taken", "again"));
  else if (!strcmp(verb, "stop")) say_stop();
  else if (!strcmp(verb, "clear")) say_clear();
  else {
    enum cause cause = CAUSE_NO_SESSION;
    while (cause < CAUSE_SUPPLY && !is(m, "cause", cause_word(cause))) cause++;
    say_refused(cause);
  }
}

static void say_event(const char *verb, const char *m) {
  uint32_t order = number(m, "order");
  if (!strcmp(verb, "boot")) {
    enum boot_cause cause = BOOT_POWER;
    while (cause < BOOT_RESET && !is(m, "cause", boot_cause_word(cause))) cause++;
    say_boot(cause);
  } else if (!strcmp(verb, "activation")) say_activation(order, byte(m, "number"));
  else if (!strcmp(verb, "tumble")) say_tumble(order, byte(m, "activation"), byte(m, "number"), (uint16_t)number(m, "strength"));
  else if (!strcmp(verb, "settled")) say_settled(order, byte(m, "activation"));
  else if (!strcmp(verb, "ended")) {
    struct last last = last_of(m);
    say_ended(&last);
  } else if (!strcmp(verb, "lid")) say_lid(is(m, "state", "open"));
  else if (!strcmp(verb, "cover")) say_cover(cover_of(word(m, "state")));
  else if (!strcmp(verb, "supply")) say_supply(is(m, "state", "low"));
  else if (!strcmp(verb, "jam")) say_jam(is(m, "state", "on"));
  else say_tamper(is(m, "state", "on"));
}

/* The device writes exactly this line. */
static void check_written(const char *line, const char *meaning) {
  char kind[8];
  char verb[16];
  unsigned line_number_told;
  unsigned session;
  unsigned boot;
  CHECK(sscanf(meaning, "%7s %u %4x %u %15s", kind, &line_number_told, &session, &boot, verb) == 5);
  bool is_answer = strcmp(kind, "answer") == 0;
  struct line_head head = {is_answer ? '<' : '!', (uint16_t)line_number_told, (uint16_t)session, boot};
  uint8_t length;
  line_start(&head);
  if (is_answer) say_answer(verb, meaning);
  else say_event(verb, meaning);
  const uint8_t *written = line_finish(&length);
  size_t told = strcspn(line, "\r");
  CHECK(length == told + 1 && memcmp(written, line, told) == 0 && written[told] == '\n');
}

void test_golden(const char *path) {
  FILE *file = fopen(path, "r");
  char row[512];
  unsigned read_count = 0;
  unsigned written_count = 0;
  unsigned void_count = 0;
  CHECK(file != NULL);
  while (fgets(row, sizeof row, file) != NULL) {
    char *line = strchr(row, '\t');
    char *meaning = line ? strchr(line + 1, '\t') : NULL;
    if (row[0] == '#' || line == NULL || meaning == NULL) continue;
    *line++ = '\0';
    *meaning++ = '\0';
    meaning[strcspn(meaning, "\n")] = '\0';
    uint8_t length = unescape(line);
    bool is_void = strncmp(meaning, "discarded", 9) == 0;
    char got[160];
    meaning_of((const uint8_t *)line, length, got, sizeof got);
    if (is_void || strcmp(row, "to-host") == 0) {
      /* What is void for the host is no request either, and neither is what a device says: a shaker must not obey its own echo. The one line
         that is void for the host only for its direction is a request. */
      bool is_request = line[0] == '>' && is_void && strcmp(row, "to-host") == 0;
      CHECK(is_request == (strcmp(got, "discarded") != 0));
      void_count++;
    } else {
      CHECK(strcmp(got, meaning) == 0);
      read_count++;
    }
    if (!is_void && strcmp(row, "to-host") == 0) {
      line[length] = '\0';
      check_written(line, meaning);
      written_count++;
    }
  }
  fclose(file);
  CHECK(read_count >= 10 && written_count >= 45 && void_count >= 50);
  printf("golden lines: %u read, %u written, %u refused\n", read_count, written_count, void_count);
  check_passed("reads, writes and refuses the golden lines");
}
