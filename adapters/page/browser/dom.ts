/** What an element may contain. Texts become text nodes, so nothing is ever read as HTML. */
export type Child = Node | string | number | false | undefined | readonly Child[];
/** Attributes by name; `on…` takes a listener. `false` and `undefined` leave the attribute out, `true` sets it empty. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** Makes an HTML element: `h("button", { class: "quiet", onclick: reload }, "Reload")`. */
export function h<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an SVG element. */
export function svg<Tag extends keyof SVGElementTagNameMap>(tag: Tag, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[Tag] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** The colour of a token, e.g. `--up`, in the present theme, for what is drawn on a canvas. */
export function colorOf(token: `--${string}`): string {
  const probe = h("span", { hidden: true });
  probe.style.color = `var(${token})`; // through CSSOM, which the content security policy allows
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/**
 * Replaces what an element contains. The focus, open `<details>` and what was typed into fields are kept by `id`, so that
 * a choice which draws the page anew does not throw the visitor back to its begin.
 */
export function replaceContent(parent: Element, ...children: Node[]): void {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  const selection = focused instanceof HTMLInputElement ? [focused.selectionStart, focused.selectionEnd] as const : undefined;
  const typed = [...parent.querySelectorAll<HTMLInputElement>("input[id]:not([type=radio], [type=checkbox])")].filter(({ value, defaultValue }) => value !== defaultValue);
  const open = [...parent.querySelectorAll("details[id][open]")].map(({ id }) => id);
  parent.replaceChildren(...children);
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const { id, value, defaultValue } of typed) {
    const field = document.getElementById(id);
    // A field that is drawn with another value than before has been set meanwhile.
    if (field instanceof HTMLInputElement && field.defaultValue === defaultValue) field.value = value;
  }
  if (focused === null || focused.id === "") return;
  const again = document.getElementById(focused.id);
  if (again === null || again === document.activeElement) return;
  again.focus({ preventScroll: true });
  if (again instanceof HTMLInputElement && selection?.[0] != null) again.setSelectionRange(...selection);
}

function fill<Kind extends Element>(element: Kind, attributes: Attributes, children: readonly Child[]): Kind {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false) continue;
    if (isList(child)) append(parent, child);
    else parent.append(typeof child === "number" ? String(child) : child);
  }
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}
