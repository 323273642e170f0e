#include "shaker.h"

#include <stdbool.h>
#include <string.h>

#include "config.h"
#include "dialogue.h"
#include "dice_sensor.h"
#include "drive.h"
#include "hal.h"
#include "inputs.h"
#include "line_reader.h"
#include "memory.h"
#include "request.h"
#include "say.h"

static const struct limits limits = {MOTOR_MS_MAX, SETTLE_MS_MAX, COVER_MS_MAX, QUIET_MS_MAX, TUMBLES_MAX, ACTIVATIONS_MAX};

static struct memory memory;
static struct inputs inputs;
static struct dice_sensor dice;
static struct line_reader reader;
static char device_id[MEMORY_ID_CHARS + 1u];
static uint32_t heard_ms;  /* last valid request of the session */
static uint32_t polled_ms; /* last look at the sensors */
/* The running order; memory.last.outcome says whether one runs. */
static struct {
  uint8_t activations;
  uint8_t tumbles;
  enum cover target;
  uint32_t start_ms; /* of the motor or the cover drive */
  uint32_t stop_ms;  /* of the motor */
} run;

static bool is_running(void) { return memory.last.outcome == OUTCOME_RUNNING; }

/* The motor cannot be trusted, or the memory: nothing moves until a person has looked. */
static void raise_jam(void) {
  if (memory.is_jammed) return;
  memory.is_jammed = true;
  dialogue_event();
  say_jam(true);
  dialogue_send_event();
}

/* A memory that does not hold what was written would forget an order: no order is taken any more. */
static bool store(void) {
  if (memory_store(&memory)) return true;
  drive_stop();
  raise_jam();
  return false;
}

/* Everything stands, the outcome is stored, then told. Harmless without a running order. */
static void end_order(enum outcome outcome) {
  drive_stop();
  if (!is_running()) return;
  memory.last.outcome = outcome;
  (void)store();
  dialogue_event();
  say_ended(&memory.last);
  dialogue_send_event();
}

static void start_activation(uint32_t now) {
  memory.last.activations++;
  memory.last.tumbles = 0;
  run.start_ms = now;
  dice_sensor_arm(&dice, now);
  drive_motor_start(now);
  dialogue_event();
  say_activation(memory.last.order, memory.last.activations);
  dialogue_send_event();
}

/* The first cause that applies, in the order of the protocol document. An order that was taken before has none. */
static enum cause cause_against(const struct request *request, uint32_t now) {
  if (request->verb == VERB_SHAKE && (request->activations > ACTIVATIONS_MAX || request->tumbles > TUMBLES_MAX)) return CAUSE_OUT_OF_RANGE;
  if (request->order == memory.last.order) return CAUSE_NOTHING;
  if (request->order < memory.last.order) return CAUSE_OLD_ORDER;
  if (is_running()) return CAUSE_BUSY;
  if ((int32_t)(now - request->by) > 0) return CAUSE_TOO_LATE;
  if (request->verb == VERB_COVER && inputs.cover == COVER_NONE) return CAUSE_NO_COVER;
  if (inputs.is_lid_open) return CAUSE_LID_OPEN;
  if (memory.is_jammed) return CAUSE_JAMMED;
  if (memory.is_tampered) return CAUSE_TAMPER;
  return inputs.is_supply_low ? CAUSE_SUPPLY : CAUSE_NOTHING;
}

static void refuse(uint16_t number, enum cause cause) {
  dialogue_answer(number);
  say_refused(cause);
  dialogue_send_answer();
}

static void begin(const struct request *request) {
  uint32_t now = hal_up();
  if (request->verb == VERB_SHAKE) {
    run.activations = request->activations;
    run.tumbles = request->tumbles;
    start_activation(now);
    return;
  }
  run.target = request->to_open ? COVER_OPEN : COVER_CLOSED;
  run.start_ms = now;
  if (inputs.cover == run.target) {
    end_order(OUTCOME_DONE);
    return;
  }
  drive_cover_start(request->to_open ? COVER_DRIVE_OPEN : COVER_DRIVE_CLOSE);
}

static void take_order(const struct request *request) {
  enum order_kind kind = request->verb == VERB_SHAKE ? KIND_SHAKE : KIND_COVER;
  enum cause cause = cause_against(request, hal_up());
  if (cause != CAUSE_NOTHING) {
    refuse(request->number, cause);
    return;
  }
  bool is_again = request->order == memory.last.order;
  if (!is_again) {
    struct last before = memory.last;
    memory.last.order = request->order;
    memory.last.kind = kind;
    memory.last.outcome = OUTCOME_RUNNING;
    memory.last.activations = 0;
    memory.last.tumbles = 0;
    /* Stored before anything moves, and before it is answered. */
    if (!store()) {
      memory.last = before;
      refuse(request->number, CAUSE_JAMMED);
      return;
    }
  }
  dialogue_answer(request->number);
  say_taken(kind, request->order, is_again);
  dialogue_send_answer();
  if (!is_again) begin(request);
}

static void clear_faults(void) {
  bool was_jammed = memory.is_jammed;
  bool was_tampered = memory.is_tampered;
  memory.is_jammed = false;
  memory.is_tampered = false;
  /* With a memory that does not work the jam is back at once, and so stays on for the host. */
  if ((was_jammed || was_tampered) && !memory_store(&memory)) memory.is_jammed = was_jammed;
  if (was_jammed && !memory.is_jammed) {
    dialogue_event();
    say_jam(false);
    dialogue_send_event();
  }
  if (was_tampered) {
    dialogue_event();
    say_tamper(false);
    dialogue_send_event();
  }
}

static void raise_tamper(void) {
  memory.is_tampered = true;
  drive_stop();
  dialogue_event();
  say_tamper(true);
  dialogue_send_event();
  if (is_running()) end_order(OUTCOME_TAMPER);
  else (void)store();
}

/* A contact or sensor that is still wrong raises its fault anew: clearing makes nothing well. */
static void look_again(void) {
  if (inputs.is_tampered) raise_tamper();
  if (!is_running() && !inputs_are_plausible()) {
    raise_jam();
    (void)store();
  }
}

static void say_status_now(void) {
  struct status status;
  status.up = hal_up();
  status.state = !is_running() ? STATE_IDLE : memory.last.kind == KIND_COVER ? STATE_MOVING : STATE_SHAKING;
  status.is_lid_open = inputs.is_lid_open;
  status.cover = inputs.cover;
  status.is_supply_low = inputs.is_supply_low;
  status.is_jammed = memory.is_jammed;
  status.is_tampered = memory.is_tampered;
  say_status(&status);
}

static void answer_in_session(const struct request *request) {
  if (request->verb == VERB_SHAKE || request->verb == VERB_COVER) {
    take_order(request);
    return;
  }
  if (request->verb == VERB_CLEAR) clear_faults();
  dialogue_answer(request->number);
  if (request->verb == VERB_LIMITS) say_limits(&limits);
  else if (request->verb == VERB_PING) say_ping(hal_up());
  else if (request->verb == VERB_STATUS) say_status_now();
  else if (request->verb == VERB_LAST) say_last(&memory.last);
  else say_clear();
  dialogue_send_answer();
  if (request->verb == VERB_CLEAR) look_again();
}

static void obey(const struct request *request) {
  if (request->verb == VERB_STOP) {
    end_order(OUTCOME_STOPPED);
    if (dialogue_is_of_session(request)) heard_ms = hal_up();
    dialogue_answer(request->number);
    say_stop();
    dialogue_send_answer();
    return;
  }
  if (request->verb == VERB_HELLO) {
    end_order(OUTCOME_STOPPED);
    dialogue_set_session(request->protocol == PROTOCOL_VERSION ? request->session : NO_SESSION);
    if (!dialogue_has_session()) {
      refuse(request->number, CAUSE_PROTOCOL);
      return;
    }
    heard_ms = hal_up();
    dialogue_answer(request->number);
    say_hello(device_id, heard_ms);
    dialogue_send_answer();
    return;
  }
  if (!dialogue_has_session() || !dialogue_is_of_session(request)) {
    refuse(request->number, CAUSE_NO_SESSION);
    return;
  }
  heard_ms = hal_up();
  answer_in_session(request);
}

static void look_at_inputs(uint32_t now) {
  bool was_lid_open = inputs.is_lid_open;
  bool was_tampered = inputs.is_tampered;
  bool was_supply_low = inputs.is_supply_low;
  enum cover was_cover = inputs.cover;
  inputs_step(&inputs, now);
  if (inputs.is_lid_open != was_lid_open) {
    if (inputs.is_lid_open) drive_stop();
    dialogue_event();
    say_lid(inputs.is_lid_open);
    dialogue_send_event();
    if (inputs.is_lid_open) end_order(OUTCOME_LID_OPEN);
  }
  if (inputs.is_supply_low != was_supply_low) {
    if (inputs.is_supply_low) drive_stop();
    dialogue_event();
    say_supply(inputs.is_supply_low);
    dialogue_send_event();
    if (inputs.is_supply_low) end_order(OUTCOME_SUPPLY);
  }
  if (inputs.is_tampered && !was_tampered && !memory.is_tampered) raise_tamper();
  if (inputs.cover != was_cover) {
    dialogue_event();
    say_cover(inputs.cover);
    dialogue_send_event();
  }
  if (inputs.is_stalled && drive_is_motor_on()) {
    drive_stop();
    raise_jam();
    end_order(OUTCOME_JAMMED);
  }
}

static void end_activation(bool is_settled, uint32_t now) {
  drive_stop();
  if (is_settled) {
    dialogue_event();
    say_settled(memory.last.order, memory.last.activations);
    dialogue_send_event();
  }
  if (memory.last.activations < run.activations) start_activation(now);
  else end_order(is_settled ? OUTCOME_SETTLED : OUTCOME_UNSETTLED);
}

static void look_at_shake(uint16_t strength, uint32_t now) {
  if (strength > 0 && memory.last.tumbles < 255u) {
    memory.last.tumbles++;
    if (memory.last.tumbles >= run.tumbles && drive_is_motor_on()) {
      drive_stop();
      run.stop_ms = now;
    }
    dialogue_event();
    say_tumble(memory.last.order, memory.last.activations, memory.last.tumbles, strength);
    dialogue_send_event();
  }
  if (drive_is_motor_on()) {
    if (now - run.start_ms < MOTOR_MS_MAX) return;
    drive_stop();
    run.stop_ms = now;
  }
  /* The plate trembles with the motor, so rest is counted from when both stand. */
  uint32_t still_ms = now - dice.moved_ms;
  uint32_t waited_ms = now - run.stop_ms;
  if (still_ms >= REST_MS && waited_ms >= REST_MS) end_activation(true, now);
  else if (waited_ms >= SETTLE_MS_MAX) end_activation(false, now);
}

static void look_at_cover(uint32_t now) {
  if (inputs.cover == run.target) end_order(OUTCOME_DONE);
  else if (now - run.start_ms >= COVER_MS_MAX) end_order(OUTCOME_COVER_STUCK);
}

static void look_at_sensors(uint32_t now) {
  uint16_t strength = dice_sensor_step(&dice, hal_sample(CHANNEL_ACCEL), now, !is_running());
  look_at_inputs(now);
  if (!is_running()) {
    /* nothing to watch */
  } else if (memory.last.kind == KIND_SHAKE) {
    look_at_shake(strength, now);
  } else {
    look_at_cover(now);
  }
  drive_step(now);
  if (dialogue_has_session() && now - heard_ms >= QUIET_MS_MAX) {
    end_order(OUTCOME_QUIET);
    dialogue_set_session(NO_SESSION);
  }
}

void shaker_start(enum boot_cause cause) {
  uint32_t now = hal_up();
  drive_stop();
  memset(&run, 0, sizeof run);
  memset(&reader, 0, sizeof reader);
  heard_ms = now;
  polled_ms = now;
  memory_load(&memory);
  memory_load_id(device_id);
  memory.boot++;
  if (is_running()) memory.last.outcome = OUTCOME_LOST;
  inputs_start(&inputs, now);
  dice_sensor_start(&dice, hal_sample(CHANNEL_ACCEL), now);
  bool was_jammed = memory.is_jammed;
  bool was_tampered = memory.is_tampered;
  if (!inputs_are_plausible()) memory.is_jammed = true;
  if (inputs.is_tampered) memory.is_tampered = true;
  if (!memory_store(&memory)) memory.is_jammed = true;
  dialogue_start(memory.boot);
  dialogue_event();
  say_boot(cause);
  dialogue_send_event();
  if (memory.is_jammed && !was_jammed) {
    dialogue_event();
    say_jam(true);
    dialogue_send_event();
  }
  if (memory.is_tampered && !was_tampered) {
    dialogue_event();
    say_tamper(true);
    dialogue_send_event();
  }
}

void shaker_poll(void) {
  hal_feed_watchdog();
  for (int16_t byte = hal_receive(); byte >= 0; byte = hal_receive()) {
    uint8_t length;
    struct request request;
    if (!line_reader_take(&reader, (uint8_t)byte, &length)) continue;
    if (request_parse(reader.bytes, length, &request)) {
      obey(&request);
      /* The sensors are looked at between two requests, however fast they come. */
      break;
    }
  }
  uint32_t now = hal_up();
  if (now == polled_ms) return;
  polled_ms = now;
  look_at_sensors(now);
}
