/* ATmega328P at 16 MHz. Pins: ../README.md, wiring table. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>
#include <util/atomic.h>

#include "../src/drive.h"
#include "../src/hal.h"
#include "hal_avr.h"

#define RX_BYTES 256u /* one byte counts around */
#define TX_BYTES 256u
#define CHANNELS 3u

static volatile uint8_t rx[RX_BYTES];
static volatile uint8_t rx_in;
static uint8_t rx_out;
static volatile uint8_t tx[TX_BYTES];
static uint8_t tx_in;
static volatile uint8_t tx_out;
static volatile uint32_t up_ms;
static volatile uint16_t samples[CHANNELS];
static volatile uint8_t sampling;

void hal_avr_start(void) {
  /* Drives off first of all: driver pins low and driven. */
  PORTB &= (uint8_t)~(_BV(PB0) | _BV(PB1));
  DDRB |= _BV(PB0) | _BV(PB1);
  PORTD &= (uint8_t)~(_BV(PD5) | _BV(PD6));
  DDRD |= _BV(PD1) | _BV(PD5) | _BV(PD6);
  /* Pull-ups: a broken wire reads as open lid, tamper, stop pressed. */
  PORTD |= _BV(PD2) | _BV(PD3) | _BV(PD4);
  PORTB |= _BV(PB2) | _BV(PB3) | _BV(PB4);
  /* Motor: 8-bit phase-correct PWM on OC1A, 31 kHz. Its clock runs only while the motor is on. */
  TCCR1A = _BV(COM1A1) | _BV(WGM10);
  OCR1A = 0;
  /* 1 ms: timer 0 counts to 249 at 250 kHz. */
  TCCR0A = _BV(WGM01);
  TCCR0B = _BV(CS01) | _BV(CS00);
  OCR0A = 249;
  OCR0B = 249;
  TIMSK0 = _BV(OCIE0A);
  /* ADC against AREF (3.3 V), 125 kHz, interrupt per conversion. */
  ADMUX = 0;
  ADCSRA = _BV(ADEN) | _BV(ADIE) | _BV(ADPS2) | _BV(ADPS1) | _BV(ADPS0);
  /* 115,200 baud at 16 MHz: 16 at double speed, 2.1 % fast; the receiver takes 4 %. */
  UCSR0A = _BV(U2X0);
  UBRR0 = 16;
  UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
  UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
  sei();
  /* All three channels once before anybody looks at them. */
  while (hal_up() < 3) wdt_reset();
}

ISR(TIMER0_COMPA_vect) {
  up_ms++;
  drive_guard();
  if (!(ADCSRA & _BV(ADSC))) {
    sampling = 0;
    ADMUX = 0;
    ADCSRA |= _BV(ADSC);
  }
}

ISR(ADC_vect) {
  samples[sampling] = ADC;
  sampling++;
  if (sampling >= CHANNELS) return;
  ADMUX = sampling;
  ADCSRA |= _BV(ADSC);
}

ISR(USART_RX_vect) {
  uint8_t byte = UDR0;
  /* Full: the byte is lost, and with it the line, which its CRC tells. */
  if ((uint8_t)(rx_in + 1u) == rx_out) return;
  rx[rx_in] = byte;
  rx_in++;
}

ISR(USART_UDRE_vect) {
  if (tx_out == tx_in) {
    UCSR0B &= (uint8_t)~_BV(UDRIE0);
    return;
  }
  UDR0 = tx[tx_out];
  tx_out++;
}

uint32_t hal_up(void) {
  uint32_t up;
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { up = up_ms; }
  return up;
}

int16_t hal_receive(void) {
  if (rx_out == rx_in) return -1;
  return (int16_t)rx[rx_out++];
}

bool hal_avr_has_received(void) { return rx_out != rx_in; }

void hal_send(const uint8_t *line, uint8_t length) {
  while (length-- > 0) {
    while ((uint8_t)(tx_in + 1u) == tx_out) {
    }
    tx[tx_in] = *line++;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
      tx_in++;
      UCSR0B |= _BV(UDRIE0);
    }
  }
}

/* The enable pin goes with the duty: with it low the driver's outputs float, whatever the PWM does. The guard may have
   stopped the drives in the moment between, so both are set with interrupts off and only while it is safe. */
void hal_motor(uint8_t duty) {
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
    bool is_on = duty > 0 && hal_is_safe();
    OCR1A = duty;
    TCCR1B = is_on ? _BV(CS10) : 0;
    if (is_on) PORTB |= _BV(PB0);
    else PORTB &= (uint8_t)~_BV(PB0);
  }
}

void hal_cover_drive(enum hal_cover_drive drive) {
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
    PORTD &= (uint8_t)~(_BV(PD5) | _BV(PD6));
    if (drive == COVER_DRIVE_OPEN && hal_is_safe()) PORTD |= _BV(PD5);
    if (drive == COVER_DRIVE_CLOSE && hal_is_safe()) PORTD |= _BV(PD6);
  }
}

void hal_drives_off(void) {
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
    PORTB &= (uint8_t)~_BV(PB0);
    PORTD &= (uint8_t)~(_BV(PD5) | _BV(PD6));
    TCCR1B = 0;
    OCR1A = 0;
  }
}

bool hal_contact(enum hal_contact contact) {
  switch (contact) {
    case CONTACT_LID: return (PIND & _BV(PD2)) != 0;
    case CONTACT_TAMPER: return (PIND & _BV(PD3)) != 0;
    case CONTACT_STOP: return (PIND & _BV(PD4)) != 0;
    case CONTACT_COVER_FITTED: return (PINB & _BV(PB2)) == 0;
    case CONTACT_COVER_OPEN: return (PINB & _BV(PB4)) == 0;
    case CONTACT_COVER_CLOSED: return (PINB & _BV(PB3)) == 0;
  }
  return true;
}

bool hal_is_safe(void) { return (PIND & (_BV(PD2) | _BV(PD4))) == 0; }

uint16_t hal_sample(enum hal_channel channel) {
  uint16_t sample;
  ATOMIC_BLOCK(ATOMIC_RESTORESTATE) { sample = samples[channel]; }
  return sample;
}

uint8_t hal_eeprom_read(uint16_t address) { return eeprom_read_byte((const uint8_t *)address); }

void hal_eeprom_write(uint16_t address, uint8_t value) {
  eeprom_write_byte((uint8_t *)address, value);
  /* Sleeps from interrupt to interrupt: the timer's comes each millisecond. */
  set_sleep_mode(SLEEP_MODE_IDLE);
  while (!eeprom_is_ready()) sleep_mode();
}

void hal_feed_watchdog(void) { wdt_reset(); }
