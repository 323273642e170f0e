/* Reads a request of the host (../../README.md sections 1 to 3). */
#ifndef REQUEST_H
#define REQUEST_H
#include <stdbool.h>
#include <stdint.h>

enum verb { VERB_HELLO, VERB_LIMITS, VERB_PING, VERB_STATUS, VERB_LAST, VERB_SHAKE, VERB_COVER, VERB_STOP, VERB_CLEAR };

struct request {
  uint16_t number;  /* 1 to 65535 */
  uint16_t session; /* 0: tag 0000 */
  enum verb verb;
  uint8_t protocol; /* hello */
  uint32_t order;   /* shake and cover, 1 to 2147483647 */
  uint8_t activations;
  uint8_t tumbles;
  bool to_open; /* cover */
  uint32_t by;  /* device time in ms after which the order is void */
};

/* True when the line (without LF and CR) is whole and of the protocol; `request` then holds it, all fields of other verbs 0.
   False for everything else, whatever the bytes; `request` is then undefined. */
bool request_parse(const uint8_t *line, uint8_t length, struct request *request);

#endif
