/** Start and factor of the 32-bit FNV-1a hash (Fowler, Noll, Vo). */
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** A second start value, for 64 bits in total. */
const OTHER_START = 0x9747b28c;

/** 16 hexadecimal digits that distinguish texts. Not safe against deliberately constructed collisions. */
export function textId(text: string): string {
  let [a, b] = [FNV_START, OTHER_START];
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, FNV_PRIME);
    b = Math.imul(b ^ unit, FNV_PRIME);
    // Without this, the first hash would determine the second.
    b ^= b >>> 15;
  }
  const hex = (value: number) => (value >>> 0).toString(16).padStart(8, "0");
  return hex(a) + hex(b);
}
