// A request as programs that a reader can copy. `key` is the demo key, or the word in place of the reader's own: see exampleKey.
import { exportLine } from "../example_key.ts";
import { tokensOf } from "./json_tokens.ts";
import { hasDotSegments } from "./request.ts";
import type { PlannedRequest, RequestBody } from "./request.ts";

/** The header field and the value before the key. */
const KEY_FIELDS = { "X-API-Key": ["X-API-Key", ""], Authorization: ["Authorization", "ApiKey "] } as const;

/** As a command of a POSIX shell. */
export function curlExample(request: PlannedRequest, key: string): string {
  const { method, url, keyForm, body } = request;
  const [name, scheme] = keyForm === "none" ? [] : KEY_FIELDS[keyForm];
  const command = [
    `curl ${hasDotSegments(request) ? "--path-as-is " : ""}${method === "GET" ? "" : `-X ${method} `}${shellText(url)}`,
    ...(name === undefined ? [] : [`-H "${name}: ${scheme}$KEY"`]),
    ...(body ? [`-H ${shellText(`Content-Type: ${body.contentType}`)}`, `--data-raw ${shellText(body.text)}`] : []),
  ].join(" \\\n  ");
  return name === undefined ? command : `${exportLine(key)}\n${command}`;
}

/** As an ECMAScript module for Node, Deno or Bun. */
export function javaScriptExample({ method, url, keyForm, body }: PlannedRequest, key: string): string {
  const [name, scheme] = keyForm === "none" ? [] : KEY_FIELDS[keyForm];
  const headers = [
    ...(name === undefined ? [] : [`"${name}": ${scheme === "" ? "KEY" : `\`${scheme}\${KEY}\``}`]),
    ...(body ? [`"Content-Type": ${quoted(body.contentType)}`] : []),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(", ")} },`] : []),
    ...(body ? [`  body: ${isPlain(body) ? `JSON.stringify(${spaced(body.text, (text) => text)})` : quoted(body.text)},`] : []),
  ];
  const rest = options.length > 0 ? `, {\n${options.join("\n")}\n}` : "";
  return [
    ...(name === undefined ? [] : [`const KEY = ${quoted(key)};`]),
    `const response = await fetch(${quoted(url)}${rest});`,
    "console.log(response.status, await response.text());",
  ].join("\n");
}

/** As a program for Python 3 with the package `requests`. */
export function pythonExample({ method, address, query, keyForm, body }: PlannedRequest, key: string): string {
  const [name, scheme] = keyForm === "none" ? [] : KEY_FIELDS[keyForm];
  const isJson = body !== undefined && isPlain(body);
  const headers = [
    ...(name === undefined ? [] : [`"${name}": ${scheme === "" ? "" : `"${scheme}" + `}KEY`]),
    ...(body && !isJson ? [`"Content-Type": ${quoted(body.contentType)}`] : []),
  ];
  const parameters = query.map(([parameter, value]) => `${quoted(parameter)}: ${quoted(value)}`);
  return [
    "import requests",
    "",
    ...(name === undefined ? [] : [`KEY = ${quoted(key)}`]),
    `response = requests.${method.toLowerCase()}(`,
    `    ${quoted(address)},`,
    ...(parameters.length > 0 ? [`    params={${parameters.join(", ")}},`] : []),
    ...(headers.length > 0 ? [`    headers={${headers.join(", ")}},`] : []),
    ...(body ? [isJson ? `    json=${spaced(body.text, pythonName)},` : `    data=${quoted(body.text)}.encode(),`] : []),
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");
}

/** In single quotes, in which a shell reads every sign as itself but the single quote. */
function shellText(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** As a string of JavaScript and of Python: the escapes that JSON writes mean the same in both. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Whether a body is JSON that a program can write as a value of its own and send unchanged, white space aside. */
function isPlain({ contentType, text }: RequestBody): boolean {
  const tokens = contentType === "application/json" ? tokensOf(text) : undefined;
  // As a literal of JavaScript, the key __proto__ would set the prototype.
  if (!tokens || tokens.some((token) => token.text === '"__proto__"')) return false;
  return JSON.stringify(JSON.parse(text)) === tokens.map((token) => token.text).join("");
}

/** JSON on one line with blanks, its literals written by `nameOf`. */
function spaced(json: string, nameOf: (literal: string) => string): string {
  const texts = (tokensOf(json) ?? []).map(({ kind, text }) => (kind === "literal" ? nameOf(text) : text === ":" || text === "," ? `${text} ` : text));
  return texts.join("");
}

function pythonName(literal: string): string {
  return literal === "null" ? "None" : literal === "true" ? "True" : "False";
}
