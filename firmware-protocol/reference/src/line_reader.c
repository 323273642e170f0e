#include "line_reader.h"

bool line_reader_take(struct line_reader *reader, uint8_t byte, uint8_t *length) {
  if (byte != '\n') {
    if (reader->count < LINE_READER_BYTES) reader->bytes[reader->count] = byte;
    if (reader->count <= LINE_READER_BYTES) reader->count++;
    return false;
  }
  uint8_t count = reader->count;
  reader->count = 0;
  if (count > LINE_READER_BYTES) return false;
  if (count > 0 && reader->bytes[count - 1] == '\r') count--;
  *length = count;
  return count > 0;
}
