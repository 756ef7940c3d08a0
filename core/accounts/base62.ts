/** The digits in ascending order. */
export const BASE62_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** A whole number below 2 ** 53 as base-62 digits, zero-padded to `width`. */
export function base62OfNumber(number: number, width: number): string {
  let text = "";
  for (let rest = number; rest > 0; rest = Math.floor(rest / 62)) text = BASE62_DIGITS[rest % 62]! + text;
  return text.padStart(width, "0");
}

/** Big-endian bytes as base-62 digits, zero-padded to `width`; 32 bytes need 43 digits, 16 bytes need 22. */
export function base62(bytes: Uint8Array, width: number): string {
  let number = 0n;
  for (const byte of bytes) number = (number << 8n) | BigInt(byte);
  let text = "";
  for (; number > 0n; number /= 62n) text = BASE62_DIGITS[Number(number % 62n)]! + text;
  return text.padStart(width, "0");
}
