#include "inputs.h"

#include "config.h"
#include "hal.h"

enum agreed { AGREED_LID, AGREED_TAMPER, AGREED_SUPPLY, AGREED_COVER };

static enum cover cover_now(void) {
  if (!hal_contact(CONTACT_COVER_FITTED)) return COVER_NONE;
  bool is_open = hal_contact(CONTACT_COVER_OPEN);
  bool is_closed = hal_contact(CONTACT_COVER_CLOSED);
  /* Both ends at once cannot be: a broken switch reads as no position. */
  if (is_open == is_closed) return COVER_MOVING;
  return is_open ? COVER_OPEN : COVER_CLOSED;
}

static bool tamper_now(void) { return hal_contact(CONTACT_TAMPER) || hal_contact(CONTACT_STOP); }

/* A gap between the two limits keeps a supply that hangs at the limit from flickering. */
static bool supply_now(bool was_low) { return hal_sample(CHANNEL_SUPPLY) < (was_low ? SUPPLY_OK_COUNTS : SUPPLY_LOW_COUNTS); }

void inputs_start(struct inputs *inputs, uint32_t now) {
  inputs->is_lid_open = hal_contact(CONTACT_LID);
  inputs->is_tampered = tamper_now();
  inputs->is_supply_low = supply_now(false);
  inputs->is_stalled = false;
  inputs->cover = cover_now();
  for (uint8_t i = 0; i < 4; i++) inputs->agreed_ms[i] = now;
  inputs->unstalled_ms = now;
}

/* True when `differs` has been so for at least `ms`. */
static bool lasts(struct inputs *inputs, enum agreed which, bool differs, uint16_t ms, uint32_t now) {
  if (!differs) inputs->agreed_ms[which] = now;
  return differs && now - inputs->agreed_ms[which] >= ms;
}

void inputs_step(struct inputs *inputs, uint32_t now) {
  bool is_lid_open = hal_contact(CONTACT_LID);
  uint16_t lid_ms = is_lid_open ? 0u : CONTACT_MS;
  if (lasts(inputs, AGREED_LID, is_lid_open != inputs->is_lid_open, lid_ms, now)) inputs->is_lid_open = is_lid_open;
  bool is_tampered = tamper_now();
  if (lasts(inputs, AGREED_TAMPER, is_tampered != inputs->is_tampered, CONTACT_MS, now)) inputs->is_tampered = is_tampered;
  bool is_low = supply_now(inputs->is_supply_low);
  if (lasts(inputs, AGREED_SUPPLY, is_low != inputs->is_supply_low, SUPPLY_MS, now)) inputs->is_supply_low = is_low;
  enum cover cover = cover_now();
  if (lasts(inputs, AGREED_COVER, cover != inputs->cover, CONTACT_MS, now)) inputs->cover = cover;
  if (hal_sample(CHANNEL_CURRENT) < STALL_COUNTS) inputs->unstalled_ms = now;
  inputs->is_stalled = now - inputs->unstalled_ms >= STALL_MS && hal_sample(CHANNEL_CURRENT) >= STALL_COUNTS;
}

bool inputs_are_plausible(void) {
  uint16_t accel = hal_sample(CHANNEL_ACCEL);
  return accel >= ACCEL_COUNTS_MIN && accel <= ACCEL_COUNTS_MAX && hal_sample(CHANNEL_CURRENT) <= IDLE_COUNTS_MAX;
}
