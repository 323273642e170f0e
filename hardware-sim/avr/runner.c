/* Runs the compiled firmware at its own speed: avr-runner ELF EEPROM-FILE power|reset COVER COVER-MS.
   Frames in (frames.h): u UART bytes | l lid open | e emergency stop pressed | s supply low | c cover pushed open (one byte 0 or 1 each) |
   t tamper | j motor stalls | h the main loop hangs | w course of the dice: rest i32, then at u32 and strength u16 of each tumble.
   Frames out: r running | u UART bytes | m motor on (0 or 1). Ends with its input. The EEPROM file holds what a power cut at any moment would leave. */
#include <fcntl.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_regbit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "board.h"
#include "frames.h"

#define FREQUENCY 16000000u
#define CYCLES_PER_MS (FREQUENCY / 1000u)
#define EEPROM_BYTES 1024u
/* 115,200 baud are 11.5 bytes a millisecond. */
#define UART_BYTES_PER_MS 11u
#define UART_WAITING_MAX 65536u
/* So many simulated milliseconds at most between two looks at the pipe. */
#define BATCH_MS 20u

static avr_t *avr;
static uint8_t eeprom_stored[EEPROM_BYTES];
static int eeprom_file;
static uint8_t to_avr[UART_WAITING_MAX];
static uint32_t to_avr_from, to_avr_count;
static uint8_t from_avr[1024];
static uint16_t from_avr_count;
static bool is_uart_full;
static bool is_to_hang;
static avr_flashaddr_t hang_pc;
static uint8_t hang_saved[2];
static bool is_hung;
static void (*reset_core)(struct avr_t *avr);

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static uint64_t now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

static void flush_uart(void) {
  if (from_avr_count > 0) frame_write('u', from_avr, from_avr_count);
  from_avr_count = 0;
}

static void uart_output(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)param;
  from_avr[from_avr_count++] = (uint8_t)value;
  if (from_avr_count == sizeof from_avr) flush_uart();
}

static void uart_room(struct avr_irq_t *irq, uint32_t value, void *param) {
  (void)irq, (void)value;
  is_uart_full = param != NULL;
}

static void motor_changed(bool is_on) {
  uint8_t value = is_on;
  flush_uart();
  frame_write('m', &value, 1);
}

static void feed_uart(void) {
  avr_irq_t *input = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_INPUT);
  for (uint32_t i = 0; i < UART_BYTES_PER_MS && to_avr_count > 0 && !is_uart_full; i++) {
    avr_raise_irq(input, to_avr[to_avr_from]);
    to_avr_from = (to_avr_from + 1u) % UART_WAITING_MAX;
    to_avr_count--;
  }
}

static void keep_eeprom(void) {
  avr_eeprom_desc_t eeprom = {NULL, 0, EEPROM_BYTES};
  avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &eeprom);
  if (memcmp(eeprom.ee, eeprom_stored, EEPROM_BYTES) == 0) return;
  memcpy(eeprom_stored, eeprom.ee, EEPROM_BYTES);
  if (pwrite(eeprom_file, eeprom_stored, EEPROM_BYTES, 0) != (ssize_t)EEPROM_BYTES) fail("EEPROM file");
}

static void load_eeprom(const char *path) {
  eeprom_file = open(path, O_RDWR | O_CREAT, 0600);
  if (eeprom_file < 0) fail(path);
  memset(eeprom_stored, 0xFF, EEPROM_BYTES);
  if (pread(eeprom_file, eeprom_stored, EEPROM_BYTES, 0) < 0) fail(path);
  avr_eeprom_desc_t eeprom = {eeprom_stored, 0, EEPROM_BYTES};
  avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &eeprom);
}

/* A jump to itself over the instruction that comes next, with interrupts on: the main loop hangs, the timer goes on. */
static void hang(void) {
  is_to_hang = false;
  is_hung = true;
  hang_pc = avr->pc;
  memcpy(hang_saved, avr->flash + hang_pc, 2);
  avr->flash[hang_pc] = 0xFF;
  avr->flash[hang_pc + 1] = 0xCF;
}

static void reset_and_heal(struct avr_t *core) {
  if (is_hung) memcpy(core->flash + hang_pc, hang_saved, 2);
  is_hung = false;
  if (reset_core != NULL) reset_core(core);
}

static void sleep_nowhere(struct avr_t *core, avr_cycle_count_t how_long) { (void)core, (void)how_long; }

static uint32_t u32_at(const uint8_t *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24; }

static void take_course(const uint8_t *payload, uint16_t length) {
  struct course course = {0};
  if (length < 4) return;
  course.rest_ms = (int32_t)u32_at(payload);
  for (uint16_t at = 4; at + 6 <= length && course.tumble_count < TUMBLES_MAX; at += 6) {
    course.at_ms[course.tumble_count] = u32_at(payload + at);
    course.milli_g[course.tumble_count] = (uint16_t)(payload[at + 4] | payload[at + 5] << 8);
    course.tumble_count++;
  }
  board_set_course(&course);
}

static void on_frame(uint8_t type, const uint8_t *payload, uint16_t length) {
  bool is_on = length > 0 && payload[0] != 0;
  switch (type) {
    case 'u':
      /* A full line loses what comes then, as wires do. */
      for (uint16_t i = 0; i < length && to_avr_count < UART_WAITING_MAX; i++) {
        to_avr[(to_avr_from + to_avr_count++) % UART_WAITING_MAX] = payload[i];
      }
      break;
    case 'l': board_set_lid(is_on); break;
    case 'e': board_set_stop(is_on); break;
    case 's': board_set_supply(is_on); break;
    case 'c': board_push_cover(is_on); break;
    case 't': board_tamper(); break;
    case 'j': board_stall(); break;
    case 'h': is_to_hang = true; break;
    case 'w': take_course(payload, length); break;
    default: fprintf(stderr, "avr-runner: no frame type %c\n", type); exit(1);
  }
}

static void run_one_ms(void) {
  avr_cycle_count_t end = avr->cycle + CYCLES_PER_MS;
  while (avr->cycle < end) {
    int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) {
      fprintf(stderr, "avr-runner: the firmware crashed at %x\n", avr->pc);
      exit(1);
    }
    if (is_to_hang && avr->sreg[S_I] && avr->state == cpu_Running) hang();
  }
  board_step();
  feed_uart();
  keep_eeprom();
}

static void start(char **args) {
  elf_firmware_t firmware = {0};
  if (elf_read_firmware(args[1], &firmware) != 0) fail(args[1]);
  avr = avr_make_mcu_by_name("atmega328p");
  if (avr == NULL) fail("atmega328p");
  avr_init(avr);
  avr->log = LOG_NONE;
  avr->frequency = FREQUENCY;
  avr->vcc = avr->avcc = 5000;
  avr->aref = 3300;
  avr_load_firmware(avr, &firmware);
  avr->frequency = FREQUENCY;
  avr->sleep = sleep_nowhere;
  reset_core = avr->reset;
  avr->reset = reset_and_heal;
  load_eeprom(args[2]);
  avr_regbit_clear(avr, avr->reset_flags.wdrf);
  avr_regbit_clear(avr, avr->reset_flags.borf);
  avr_regbit_setto(avr, avr->reset_flags.porf, strcmp(args[3], "power") == 0);
  avr_regbit_setto(avr, avr->reset_flags.extrf, strcmp(args[3], "power") != 0);
  uint32_t flags = 0;
  avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUTPUT), uart_output, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XON), uart_room, NULL);
  avr_irq_register_notify(avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), UART_IRQ_OUT_XOFF), uart_room, avr);
  board_start(avr, strcmp(args[4], "1") == 0, (uint32_t)strtoul(args[5], NULL, 10), motor_changed);
}

int main(int argc, char **argv) {
  if (argc != 6) {
    fprintf(stderr, "avr-runner ELF EEPROM-FILE power|reset COVER COVER-MS\n");
    return 1;
  }
  start(argv);
  frame_write('r', "", 0);
  uint64_t start_us = now_us();
  uint64_t ran_ms = 0;
  for (;;) {
    uint64_t due_ms = (now_us() - start_us) / 1000u;
    for (uint32_t i = 0; i < BATCH_MS && ran_ms < due_ms; i++, ran_ms++) run_one_ms();
    flush_uart();
    if (!frames_read(ran_ms < due_ms ? 0 : 1, on_frame)) return 0;
  }
}
