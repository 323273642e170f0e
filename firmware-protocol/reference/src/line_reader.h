/* Cuts the byte stream of the host into lines. Keeps at most 128 bytes; a longer line is dropped up to its LF. */
#ifndef LINE_READER_H
#define LINE_READER_H
#include <stdbool.h>
#include <stdint.h>

#define LINE_READER_BYTES 128u

struct line_reader {
  uint8_t bytes[LINE_READER_BYTES];
  uint8_t count; /* bytes kept; more than LINE_READER_BYTES: the line is too long */
};

/* Takes one byte. True when it ended a line that is worth reading: `bytes` and `*length` then hold it without LF and CR until the next call. */
bool line_reader_take(struct line_reader *reader, uint8_t byte, uint8_t *length);

#endif
