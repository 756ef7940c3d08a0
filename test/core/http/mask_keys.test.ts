import assert from "node:assert/strict";
import { test } from "node:test";
import { makeKey } from "../../../core/accounts/keys.ts";
import { maskKeys } from "../../../core/http/mask_keys.ts";

const { key: KEY } = makeKey(Uint8Array.from({ length: 38 }, (_, i) => (i * 151 + 11) % 256));
const ESCAPED = KEY.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
const SECRET = KEY.slice("mz_live_12345678_".length);

const masks: readonly (readonly [text: string, masked: string])[] = [
  [`key ${KEY}, please`, `key ${KEY.slice(0, 17)}…, please`],
  [SECRET, "…"],
  [`"${SECRET.slice(0, 43)}"`, '"…"'],
  [`/api/v1/assets/${SECRET.slice(0, 33)}/ohlc`, "/api/v1/assets/…/ohlc"],
  [`sk_live_${SECRET}`, "sk_live_…"],
  [`sk_test_${SECRET}`, "sk_test_…"],
  [`SK_TEST_${SECRET.slice(0, 16)}`, "SK_TEST_…"],
  [KEY.toUpperCase(), `${KEY.slice(0, 17).toUpperCase()}…`],
  [KEY.slice(0, 30), `${KEY.slice(0, 17)}…`],
  ["0123456789abcdef".repeat(3), "…"],
  [`/%20/${ESCAPED}%41/`, `/%20/${KEY.slice(0, 17)}…/`],
  [ESCAPED.replaceAll("%", "%2525"), `${KEY.slice(0, 17)}…`],
  [`the ID ${KEY.slice(0, 16)} of a key`, `the ID ${KEY.slice(0, 16)} of a key`],
  ["the prefix mz_live_, alone", "the prefix mz_live_, alone"],
  ["c".repeat(10) + "0f".repeat(27), "c".repeat(10) + "0f".repeat(27)],
  ["A".repeat(100), "A".repeat(100)],
  ["50%41 and %7a", "50%41 and %7a"],
  ...[
    "/data/prices-2026-11-21.csv: 140,000 records of ASSET_NAMES",
    "/srv/my_test_data/Backup-2026-11-21T03-00-00Z-of-the-Server",
  ].map((text) => [text, text] as const),
];
for (const [at, [text, masked]] of masks.entries()) {
  test(`masking: case ${at + 1}`, () => {
    assert.equal(maskKeys(text), masked);
    assert.equal(maskKeys(`${KEY} ${text}`, KEY).startsWith(`${KEY} `), true);
  });
}
