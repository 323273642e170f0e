#ifndef CRC16_H
#define CRC16_H
#include <stdint.h>

/* CRC-16/CCITT-FALSE (../../README.md section 1): start value, and one byte more. "123456789" gives 0x29B1. */
#define CRC16_START 0xFFFFu
uint16_t crc16_next(uint16_t crc, uint8_t byte);

#endif
