/** How far above the journal's own count a shaker's last order may lie. A table that plays 360 rounds an hour without a pause, at 5 numbers a round,
 *  takes over six years for as many, so a journal may be begun anew on any shaker of a real table; and it takes 21 such jumps to use up the
 *  2^31 numbers that there are (firmware-protocol/README.md), where a single one from a spoilt memory could leave none. */
export const orderJumpMax = 100_000_000;

/** True when a shaker that remembers `orderNumber` cannot be the one of this table: its number would spoil those to come.
 *  @param orderCount highest number given so far. */
export function isOrderJump(orderNumber: number, orderCount: number): boolean {
  return !(orderNumber <= orderCount + orderJumpMax);
}
