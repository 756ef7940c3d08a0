/** The digits in ascending order. */
export const BASE62_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Big-endian bytes as base-62 digits, zero-padded to `width`; 32 bytes need 43 digits, 16 bytes need 22. */
export function base62(bytes: Uint8Array, width: number): string {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  return base62OfNumber(number, width);
}

/** A number as base-62 digits, zero-padded to `width`. */
export function base62OfNumber(number: bigint, width: number): string {
  let text = "";
  for (let rest = number; rest > 0n; rest /= 62n) text = BASE62_DIGITS[Number(rest % 62n)]! + text;
  return text.padStart(width, "0");
}
