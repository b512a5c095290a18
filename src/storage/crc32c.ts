const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let remainder = index;
  // 0x82f63b78 is the Castagnoli polynomial, bits reversed.
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0x82f63b78 : 0);
  return remainder;
});

/** CRC-32C (Castagnoli; RFC 3720, appendix B.4) as an unsigned 32-bit number. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  // Both indices are in range by construction; the fallback is for the type only.
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}
