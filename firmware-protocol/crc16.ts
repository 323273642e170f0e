/** CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected, no final xor; "123456789" gives 0x29B1.
 *  Source: firmware-protocol/README.md section 1. Bitwise, as the firmware does it: a line has at most 128 bytes.
 *  @returns 0 to 0xFFFF. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
    }
  }
  return crc;
}
