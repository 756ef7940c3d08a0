/** The colour of a token, e.g. `--up`, in the present theme, for what is drawn on a canvas. */
export function colorOf(token: `--${string}`): string {
  const probe = document.createElement("span");
  probe.hidden = true;
  probe.style.color = `var(${token})`; // through CSSOM, which the content security policy allows
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
