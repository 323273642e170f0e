/* The state machine against a machine of pins: whole lines in, whole lines out, time in steps of 1 ms. */
#include <stdio.h>
#include <string.h>

#include "../src/config.h"
#include "../src/crc16.h"
#include "../src/drive.h"
#include "../src/shaker.h"
#include "check.h"
#include "hal_host.h"

static char said[16384];
static uint16_t next_number;
static uint32_t pulses; /* ms after the start of the motor of the next pulse's end; 0: dice that never move */
static uint32_t motor_ms;

static void keep(const uint8_t *line, uint8_t length) {
  size_t used = strlen(said);
  /* Without length and CRC; every line was written by line_finish, which the golden lines check. */
  if (length > 8 && used + length < sizeof said) snprintf(said + used, sizeof said - used, "%.*s\n", length - 8, (const char *)line);
}

static void tick(uint32_t ms) {
  while (ms-- > 0) {
    host.up++;
    motor_ms = host.motor_duty > 0 ? motor_ms + 1 : 0;
    /* A blow of 6 ms every 120 ms while the motor runs. */
    bool is_blow = pulses > 0 && motor_ms % 120 >= 114;
    host.samples[CHANNEL_ACCEL] = is_blow ? 612 : 512;
    drive_guard();
    shaker_poll();
  }
}

static const char *ask(const char *words, uint16_t session) {
  char body[128];
  char line[160];
  snprintf(body, sizeof body, ">%u s=%04x %s", (unsigned)next_number++, (unsigned)session, words);
  int length = snprintf(line, sizeof line, "%s*%02X", body, (unsigned)strlen(body));
  uint16_t crc = CRC16_START;
  for (int i = 0; i < length; i++) crc = crc16_next(crc, (uint8_t)line[i]);
  length += snprintf(line + length, sizeof line - (size_t)length, "%04X\n", crc);
  said[0] = '\0';
  host_send(line, (uint32_t)length);
  shaker_poll();
  return said;
}

static bool says(const char *words) { return strstr(said, words) != NULL; }

static void start(void) {
  host.on_line = keep;
  host_reset();
  said[0] = '\0';
  next_number = 1;
  pulses = 1;
  motor_ms = 0;
  shaker_start(BOOT_POWER);
  CHECK(says("!1 s=0000 boot=1 boot fw=1.0.0 protocol=1 cause=power"));
  ask("hello protocol=1", 0x5e1f);
  CHECK(says("<1 s=5e1f boot=1 hello device=sicbo-shaker id=SB-0001 fw=1.0.0 protocol=1 up=0"));
}

static void again_after_power_loss(void) {
  host_restart();
  said[0] = '\0';
  shaker_start(BOOT_POWER);
}

static void throws_the_dice(void) {
  start();
  ask("shake order=5 activations=1 tumbles=3 by=1000", 0x5e1f);
  CHECK(says("shake order=5 taken=new"));
  CHECK(says("activation order=5 number=1"));
  CHECK(host.motor_duty == 1);
  tick(360);
  CHECK(host.motor_duty == 0);
  CHECK(says("tumble order=5 activation=1 number=3 strength=5143"));
  tick(299);
  CHECK(!says("settled"));
  tick(1);
  CHECK(says("settled order=5 activation=1\n"));
  CHECK(says("ended order=5 outcome=settled activations=1 tumbles=3"));
  ask("shake order=5 activations=1 tumbles=3 by=1", 0x5e1f);
  CHECK(says("shake order=5 taken=again"));
  CHECK(host.motor_duty == 0);
  ask("shake order=4 activations=1 tumbles=3 by=9000", 0x5e1f);
  CHECK(says("refused cause=old-order"));
  ask("shake order=6 activations=6 tumbles=3 by=9000", 0x5e1f);
  CHECK(says("refused cause=out-of-range"));
  ask("shake order=6 activations=1 tumbles=3 by=659", 0x5e1f);
  CHECK(says("refused cause=too-late"));
  check_passed("throws the dice once per order number, and refuses old, late and impossible orders");
}

static void never_moves_without_a_session(void) {
  start();
  ask("shake order=1 activations=1 tumbles=3 by=1000", 0x5e20);
  CHECK(says("refused cause=no-session"));
  ask("hello protocol=2", 0x5e1f);
  CHECK(says("<3 s=0000 boot=1 refused cause=protocol"));
  ask("shake order=1 activations=1 tumbles=3 by=1000", 0x5e1f);
  CHECK(says("refused cause=no-session"));
  ask("hello protocol=1", 0);
  CHECK(says("refused cause=protocol"));
  CHECK(host.motor_duty == 0);
  check_passed("moves nothing without a session of this protocol");
}

static void stops_when_the_host_is_quiet(void) {
  start();
  pulses = 0;
  ask("shake order=1 activations=1 tumbles=9 by=1000", 0x5e1f);
  tick(2499);
  CHECK(host.motor_duty > 0);
  tick(1);
  CHECK(host.motor_duty == 0);
  CHECK(says("ended order=1 outcome=quiet"));
  ask("ping", 0x5e1f);
  CHECK(says("refused cause=no-session"));
  check_passed("stops the motor and ends the session when the host is quiet for 2.5 s");
}

static void stops_by_itself(void) {
  start();
  pulses = 0;
  ask("shake order=1 activations=1 tumbles=9 by=1000", 0x5e1f);
  for (int i = 0; i < 5; i++) {
    tick(1000);
    ask("ping", 0x5e1f);
  }
  CHECK(host.motor_duty == 0);
  tick(300);
  CHECK(says("ended order=1 outcome=settled activations=1 tumbles=0"));
  check_passed("stops the motor after 5 s when no tumble was proven");
}

static void ends_unsettled(void) {
  start();
  ask("shake order=1 activations=1 tumbles=1 by=1000", 0x5e1f);
  tick(120);
  CHECK(host.motor_duty == 0);
  for (int i = 0; i < 50; i++) {
    ask("ping", 0x5e1f);
    /* A die that spins on its corner: 257 thousandths of g now and then. */
    host.samples[CHANNEL_ACCEL] = 517;
    host.up++;
    shaker_poll();
    tick(99);
  }
  CHECK(says("ended order=1 outcome=unsettled activations=1 tumbles=1"));
  check_passed("gives dice that do not come to rest up after 5 s");
}

static void obeys_stop(void) {
  start();
  ask("shake order=1 activations=5 tumbles=3 by=1000", 0x5e1f);
  tick(50);
  ask("stop", 0x1234);
  CHECK(host.motor_duty == 0);
  const char *ended = strstr(said, "ended order=1 outcome=stopped");
  const char *answer = strstr(said, "boot=1 stop");
  CHECK(ended != NULL && answer != NULL && ended < answer);
  check_passed("obeys stop of any session, and tells the end before it answers");
}

static void befalls(void (*befall)(void), void (*heal)(void), const char *event, const char *ended, const char *refused) {
  char words[64];
  start();
  ask("shake order=1 activations=1 tumbles=9 by=1000", 0x5e1f);
  tick(30);
  befall();
  tick(STALL_MS + 5);
  CHECK(host.motor_duty == 0);
  CHECK(says(event));
  CHECK(says(ended));
  ask("shake order=2 activations=1 tumbles=3 by=1000", 0x5e1f);
  snprintf(words, sizeof words, "refused cause=%s", refused);
  CHECK(says(words));
  heal();
  tick(50);
  ask("clear", 0x5e1f);
  ask("shake order=3 activations=1 tumbles=3 by=1000", 0x5e1f);
  CHECK(says("taken=new"));
}

static void open_lid(void) { host.contacts[CONTACT_LID] = true; }
static void close_lid(void) { host.contacts[CONTACT_LID] = false; }
static void press_stop(void) { host.contacts[CONTACT_STOP] = true; }
static void release_stop(void) { host.contacts[CONTACT_STOP] = false; }
static void break_in(void) { host.contacts[CONTACT_TAMPER] = true; }
static void repair(void) { host.contacts[CONTACT_TAMPER] = false; }
static void sag(void) { host.samples[CHANNEL_SUPPLY] = SUPPLY_LOW_COUNTS - 1; }
static void recover(void) { host.samples[CHANNEL_SUPPLY] = SUPPLY_OK_COUNTS; }
static void stall(void) { host.samples[CHANNEL_CURRENT] = STALL_COUNTS; }
static void free_motor(void) { host.samples[CHANNEL_CURRENT] = 0; }

static void faults_stop_the_motor(void) {
  befalls(open_lid, close_lid, "lid state=open", "outcome=lid-open", "lid-open");
  befalls(press_stop, release_stop, "tamper state=on", "outcome=tamper", "tamper");
  befalls(break_in, repair, "tamper state=on", "outcome=tamper", "tamper");
  befalls(sag, recover, "supply state=low", "outcome=supply", "supply");
  befalls(stall, free_motor, "jam state=on", "outcome=jammed", "jammed");
  check_passed("lid, emergency stop, tamper, supply and a stalled motor stop the shake and refuse the next");
}

static void clear_needs_a_healthy_machine(void) {
  start();
  break_in();
  tick(CONTACT_MS + 2);
  ask("clear", 0x5e1f);
  CHECK(says("tamper state=off") && says("tamper state=on"));
  again_after_power_loss();
  CHECK(says("boot=2 boot fw=1.0.0"));
  ask("hello protocol=1", 0x0001);
  ask("status", 0x0001);
  CHECK(says("jam=off tamper=on"));
  repair();
  tick(CONTACT_MS + 2);
  ask("clear", 0x0001);
  ask("status", 0x0001);
  CHECK(says("tamper=off"));
  check_passed("keeps tamper over power loss, and while the contact stays open");
}

static void self_test_holds(void) {
  start();
  host.samples[CHANNEL_ACCEL] = 0;
  again_after_power_loss();
  CHECK(says("jam state=on"));
  ask("hello protocol=1", 0x0001);
  ask("shake order=1 activations=1 tumbles=3 by=1000", 0x0001);
  CHECK(says("refused cause=jammed"));
  start();
  host.is_eeprom_dead = true;
  ask("shake order=1 activations=1 tumbles=3 by=1000", 0x5e1f);
  CHECK(says("jam state=on") && says("refused cause=jammed"));
  CHECK(host.motor_duty == 0);
  check_passed("a broken accelerometer or memory moves nothing");
}

static void lost_over_power(void) {
  start();
  ask("shake order=77 activations=1 tumbles=9 by=1000", 0x5e1f);
  tick(200);
  again_after_power_loss();
  ask("hello protocol=1", 0x0002);
  ask("last", 0x0002);
  CHECK(says("last order=77 kind=shake outcome=lost"));
  ask("shake order=77 activations=1 tumbles=9 by=1000", 0x0002);
  CHECK(says("taken=again"));
  tick(500);
  CHECK(host.motor_duty == 0);
  check_passed("an order that ran when the power was lost is lost, and never runs again");
}

static void moves_the_cover(void) {
  start();
  ask("cover order=1 to=open by=1000", 0x5e1f);
  CHECK(host.cover_drive == COVER_DRIVE_OPEN);
  host.contacts[CONTACT_COVER_CLOSED] = false;
  tick(100);
  CHECK(says("cover state=moving"));
  host.contacts[CONTACT_COVER_OPEN] = true;
  tick(10);
  CHECK(host.cover_drive == COVER_DRIVE_OFF);
  CHECK(says("cover state=open") && says("ended order=1 outcome=done activations=0 tumbles=0"));
  ask("cover order=2 to=open by=1000", 0x5e1f);
  CHECK(says("ended order=2 outcome=done"));
  CHECK(host.cover_drive == COVER_DRIVE_OFF);
  ask("cover order=3 to=closed by=1000", 0x5e1f);
  for (int i = 0; i < 4; i++) {
    tick(1000);
    ask("ping", 0x5e1f);
  }
  CHECK(host.cover_drive == COVER_DRIVE_OFF);
  ask("last", 0x5e1f);
  CHECK(says("outcome=cover-stuck"));
  host.contacts[CONTACT_COVER_FITTED] = false;
  tick(10);
  ask("cover order=4 to=open by=90000", 0x5e1f);
  CHECK(says("refused cause=no-cover"));
  check_passed("moves the cover until its sensor has seen it, or 4 s");
}

void test_shaker(void) {
  throws_the_dice();
  never_moves_without_a_session();
  stops_when_the_host_is_quiet();
  stops_by_itself();
  ends_unsettled();
  obeys_stop();
  faults_stop_the_motor();
  clear_needs_a_healthy_machine();
  self_test_holds();
  lost_over_power();
  moves_the_cover();
}
