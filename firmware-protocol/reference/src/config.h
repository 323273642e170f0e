/* Every number that an integrator may have to change, with its unit and where it comes from. */
#ifndef CONFIG_H
#define CONFIG_H

#define FIRMWARE_VERSION "1.0.0"
#define PROTOCOL_VERSION 1u
#define DEVICE_NAME "sicbo-shaker"
/* Used while the board's own name was not written to its EEPROM (memory.h). */
#define DEFAULT_DEVICE_ID "SB-0001"

/* Durations in ms and largest orders: ../../README.md section 6, defaults. */
#define MOTOR_MS_MAX 5000u
#define SETTLE_MS_MAX 5000u
#define COVER_MS_MAX 4000u
#define QUIET_MS_MAX 2500u
#define TUMBLES_MAX 9u
#define ACTIVATIONS_MAX 5u
/* "Nothing has moved for 300 ms": ../../README.md section 4. */
#define REST_MS 300u

/* Accelerometer ADXL326 at 3.3 V, ratiometric: 62.7 mV/g (data sheet: 57 mV/g at 3 V), ADC with a 3.3 V reference: 3.226 mV a count,
   so 51.45 thousandths of g a count = 823/16. */
#define MILLI_G_PER_COUNT_X16 823u
/* A blow of at least this strength is a tumble. Lowest strength of the simulated dice's tumbles with a margin; to be confirmed on the machine. */
#ifndef TUMBLE_MILLI_G
#define TUMBLE_MILLI_G 500u
#endif
/* The blow is over, and proven, below this. */
#define TUMBLE_END_MILLI_G 300u
/* Two blows nearer than this are one tumble that bounced, ms. */
#define TUMBLE_GAP_MS 60u
/* Below this nothing moves: three counts of the ADC, above its noise of one to two. */
#define MOTION_MILLI_G 160u

/* Motor: strength of the drive out of 255, and time in which it rises to it, ms. The amplitude of the throw is set here. */
#define MOTOR_DUTY 200u
#define SOFT_START_MS 150u

/* Motor current: 0.1 ohm shunt, amplified 10 times: 1 V/A, 310 counts/A. A stalled motor draws 2.4 A and more. */
#define STALL_COUNTS 744u
/* Longer than the starting current lasts, ms. */
#ifndef STALL_MS
#define STALL_MS 100u
#endif
/* Drives off: more than this (0.16 A) is a broken sensor or driver. */
#define IDLE_COUNTS_MAX 50u

/* Motor supply 12 V through 10 k and 2.7 k (0.2126): 65.9 counts/V. Low below 10.0 V, good again above 10.5 V. */
#define SUPPLY_LOW_COUNTS 659u
#define SUPPLY_OK_COUNTS 692u
/* A dip must last this long, ms. */
#ifndef SUPPLY_MS
#define SUPPLY_MS 20u
#endif

/* Accelerometer at rest: 1.65 V with up to 1 g either way is 492 to 531 counts; outside of this its wire is broken. */
#define ACCEL_COUNTS_MIN 400u
#define ACCEL_COUNTS_MAX 624u

/* Contacts: an opening lid counts at once; all else after this long, ms. */
#ifndef CONTACT_MS
#define CONTACT_MS 5u
#endif

#endif
