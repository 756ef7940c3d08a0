// Writes a request as programs that a reader can copy. `key` is the demo key or a placeholder.
import type { PageSettings } from "../page_settings.ts";
import type { PlannedRequest } from "./request.ts";

/** The placeholder that a reader replaces with a key. */
export const YOUR_KEY = "YOUR_KEY";

/** Returns the demo key, or the placeholder if the visitor uses another key: people take screenshots of examples. */
export function exampleKey(key: string | undefined, { demoKey }: Pick<PageSettings, "demoKey">): string {
  return demoKey !== undefined && (key === "" || key === demoKey) ? demoKey : YOUR_KEY;
}

/** The languages of the examples, with their names, in the order shown. Code blocks in the guide use the same names. */
export const LANGUAGES = { sh: "curl", js: "JavaScript", python: "Python", php: "PHP" } as const;

/** The request in each language. */
export function examplesOf(request: PlannedRequest, key: string): Readonly<Record<keyof typeof LANGUAGES, string>> {
  return { sh: curl(request, key), js: javaScript(request, key), python: python(request, key), php: php(request, key) };
}

/** For a POSIX shell. The key is in a variable, so that screenshots of the command do not show the key. */
export function curl({ method, url, needsKey, body }: PlannedRequest, key: string): string {
  const command = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${inShell(url)}`,
    ...(needsKey ? ['-H "X-API-Key: $KEY"'] : []),
    ...(body ? [`-H ${inShell(`Content-Type: ${body.contentType}`)}`, `--data-raw ${inShell(body.text)}`] : []),
  ].join(" \\\n  ");
  return needsKey ? `export KEY=${/^\w+$/.test(key) ? key : inShell(key)}\n${command}` : command;
}

/** An ECMAScript module for Node, Deno or Bun. */
function javaScript({ method, url, needsKey, body }: PlannedRequest, key: string): string {
  const headers = headersOf({ needsKey, body });
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers === "" ? [] : [`  headers: { ${headers} },`]),
    ...(body ? [`  body: ${quoted(body.text)},`] : []),
  ];
  return [
    ...(needsKey ? [`const KEY = ${quoted(key)};`] : []),
    `const response = await fetch(${quoted(url)}${options.length > 0 ? `, {\n${options.join("\n")}\n}` : ""});`,
    "console.log(response.status, await response.text());",
  ].join("\n");
}

/** For Python 3 with the package `requests`. */
function python({ method, url, needsKey, body }: PlannedRequest, key: string): string {
  const headers = headersOf({ needsKey, body });
  return [
    "import requests",
    "",
    ...(needsKey ? [`KEY = ${quoted(key)}`] : []),
    `response = requests.${method.toLowerCase()}(`,
    `    ${quoted(url)},`,
    ...(headers === "" ? [] : [`    headers={${headers}},`]),
    ...(body ? [`    data=${quoted(body.text)}.encode(),`] : []),
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");
}

/** The header fields for JavaScript and Python. */
function headersOf({ needsKey, body }: Pick<PlannedRequest, "needsKey" | "body">): string {
  const contentType = body ? [`"Content-Type": ${quoted(body.contentType)}`] : [];
  return [...(needsKey ? ['"X-API-Key": KEY'] : []), ...contentType].join(", ");
}

/** For PHP 7 and later, without an extension. */
function php({ method, url, needsKey, body }: PlannedRequest, key: string): string {
  const headers = [
    ...(needsKey ? ['"X-API-Key: $key"'] : []),
    ...(body ? [inPhp(`Content-Type: ${body.contentType}`)] : []),
  ];
  return [
    "<?php",
    ...(needsKey ? [`$key = ${inPhp(key)};`] : []),
    "$context = stream_context_create(['http' => [",
    ...(method === "GET" ? [] : [`    'method' => '${method}',`]),
    ...(headers.length > 0 ? [`    'header' => [${headers.join(", ")}],`] : []),
    ...(body ? [`    'content' => ${inPhp(body.text)},`] : []),
    "    'ignore_errors' => true, // the answer says what was wrong",
    "]]);",
    `echo file_get_contents(${inPhp(url)}, false, $context);`,
  ].join("\n");
}

/** A text in single quotes for a shell, where only single quotes need an escape. */
function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text in single quotes for PHP, where only single quotes and backslashes need an escape. */
function inPhp(text: string): string {
  return `'${text.replace(/['\\]/g, "\\$&")}'`;
}

/** A string for JavaScript and Python, which both know JSON's escapes. A text with double quotes gets single quotes. */
function quoted(text: string): string {
  const json = JSON.stringify(text);
  return text.includes('"') && !text.includes("'") ? `'${json.slice(1, -1).replaceAll('\\"', '"')}'` : json;
}
