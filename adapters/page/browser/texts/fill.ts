/** The union of the names in braces in a text. */
type Places<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;

/** Replaces the names in braces in a text by values. */
export function fill<Text extends string>(text: Text, values: Readonly<Record<Places<Text>, string>>): string {
  const byName = new Map(Object.entries<string>(values));
  return text.replace(/\{(\w+)\}/g, (place, name: string) => byName.get(name) ?? place);
}
