import { piecesOf } from "./highlight_code.ts";

/** Makes an element: properties by name, those with a hyphen as attributes. Texts within it are texts, never HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) made.setAttribute(name, String(value));
    else Object.assign(made, { [name]: value });
  }
  made.append(...children);
  return made;
}

/** Shows a code in colours. What is copied is the code as it is. */
export function showCode(place: Element, code: string): void {
  place.replaceChildren(
    ...piecesOf(code).map(([piece, kind]) =>
      kind === undefined ? piece : element("span", { className: kind }, piece),
    ),
  );
}
