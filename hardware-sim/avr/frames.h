/* Frames on the pipes between the simulator and the runner: type u8, length u16 little endian, payload. See runner.c for the types. */
#ifndef FRAMES_H
#define FRAMES_H
#include <stdbool.h>
#include <stdint.h>

#define FRAME_BYTES_MAX 4096u

/* Reads what standard input has, without waiting longer than `wait_ms`, and hands on whole frames. False at its end. */
bool frames_read(int wait_ms, void (*on_frame)(uint8_t type, const uint8_t *payload, uint16_t length));
/* Ends the program when the simulator is gone. */
void frame_write(uint8_t type, const void *payload, uint16_t length);

#endif
