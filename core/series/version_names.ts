import type { AssetCode } from "../brand.ts";

/**
 * Makes the `version` of the `Observations` port for a store that numbers its changes. The text is cached for each
 * asset, as every request asks for it and a text compared with itself costs nothing.
 *
 * @param sequenceOf Number of the last change to an asset, or to any.
 * @param name The version after the change with this number.
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
