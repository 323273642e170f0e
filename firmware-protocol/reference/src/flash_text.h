/* Texts that stay in flash: an ATmega328P would copy plain literals into its 2 KB of RAM. On the host they are plain. */
#ifndef FLASH_TEXT_H
#define FLASH_TEXT_H

#ifdef __AVR__
#include <avr/pgmspace.h>
#define FLASH_TEXT(text) PSTR(text)
#define flash_char(at) ((char)pgm_read_byte(at))
#else
#define FLASH_TEXT(text) (text)
#define flash_char(at) (*(at))
#endif

#endif
