#include "frames.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD_BYTES 3u

static uint8_t kept[2u * (HEAD_BYTES + FRAME_BYTES_MAX)];
static size_t kept_count;

bool frames_read(int wait_ms, void (*on_frame)(uint8_t type, const uint8_t *payload, uint16_t length)) {
  struct pollfd input = {STDIN_FILENO, POLLIN, 0};
  if (poll(&input, 1, wait_ms) <= 0) return true;
  ssize_t count = read(STDIN_FILENO, kept + kept_count, sizeof kept - kept_count);
  if (count <= 0) return false;
  kept_count += (size_t)count;
  size_t from = 0;
  while (kept_count - from >= HEAD_BYTES) {
    uint16_t length = (uint16_t)(kept[from + 1] | kept[from + 2] << 8);
    if (length > FRAME_BYTES_MAX) return false;
    if (kept_count - from < HEAD_BYTES + length) break;
    on_frame(kept[from], kept + from + HEAD_BYTES, length);
    from += HEAD_BYTES + length;
  }
  memmove(kept, kept + from, kept_count - from);
  kept_count -= from;
  return true;
}

void frame_write(uint8_t type, const void *payload, uint16_t length) {
  uint8_t frame[HEAD_BYTES + FRAME_BYTES_MAX];
  frame[0] = type;
  frame[1] = (uint8_t)length;
  frame[2] = (uint8_t)(length >> 8);
  memcpy(frame + HEAD_BYTES, payload, length);
  size_t total = HEAD_BYTES + length;
  for (size_t done = 0; done < total;) {
    ssize_t count = write(STDOUT_FILENO, frame + done, total - done);
    if (count <= 0) exit(0);
    done += (size_t)count;
  }
}
