import type { AssetCode } from "../brand.ts";

/**
 * Makes the names of versions for a store that numbers its changes. Each is made once: as long as nothing changes
 * the same text is given again, which is compared in no time.
 *
 * @param sequenceOf Number of the last change of an asset, or of any.
 * @param name The version after a change with this number.
 */
export function createVersionNames(
  sequenceOf: (code?: AssetCode) => number,
  name: (sequence: number) => string,
): (code?: AssetCode) => string {
  const names = new Map<AssetCode | undefined, { readonly sequence: number; readonly name: string }>();
  return (code) => {
    const sequence = sequenceOf(code);
    let named = names.get(code);
    if (named?.sequence !== sequence) {
      named = { sequence, name: name(sequence) };
      names.set(code, named);
    }
    return named.name;
  };
}
