import type { Failure } from "../http/errors.ts";
import type { Answer, Context, Route } from "./handler.ts";
import { ok } from "../result.ts";
import type { Result } from "../result.ts";

/** A page that lists the routes, made from the route table. */
export async function docs(context: Context): Promise<Result<Answer, Failure>> {
  const notice = await context.notice();
  const name = escapeHtml(context.application);
  const rows = context.routes.map(rowHtml).join("\n");
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}: routes</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; color-scheme: light dark }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #8884 }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere }
</style>
<h1>${name}</h1>
<p>Send the API key as <code>X-API-Key: KEY</code> or <code>Authorization: ApiKey KEY</code>. All times are UTC, rial values are rial.</p>
${notice === undefined ? "" : `<p><strong>${escapeHtml(notice)}</strong></p>\n`}<table>
<thead><tr><th>Route</th><th>Query</th><th>Answer</th><th>Key</th><th>Units</th></tr></thead>
<tbody>
${rows}
</tbody>
</table>
</html>
`;
  return ok({ body, contentType: "text/html; charset=utf-8" });
}

function rowHtml({ method, path, query, summary, auth, charge }: Route): string {
  const parameters = query.map((name) => `<code>${name}</code>`).join(" ");
  const key = auth === "key" ? "yes" : "no";
  const units = charge === "free" ? 0 : 1;
  return `<tr><td><code>${method} ${path}</code></td><td>${parameters}</td><td>${summary}</td><td>${key}</td><td>${units}</td></tr>`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
