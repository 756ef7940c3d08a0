import assert from "node:assert/strict";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { createOpenApi, type OpenApiSettings } from "../../core/openapi/mod.ts";

/** The parts of a request and its answer that a check needs. Header names may be in upper or lower case. */
export interface Checked {
  readonly method: string;
  /** Path and query, or the absolute form. */
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Throws when the document does not allow the status, header fields, content type or body of an answer. */
export type AnswerCheck = (exchange: Checked) => void;

/** Paths of the web page, which are not in the document. */
const PAGE = /^\/(?:docs(?:\/.+)?|docs\.md|llms\.txt)?$/;
/** The name of each method in the document. */
const VERBS = new Map([
  ["GET", "get"],
  ["HEAD", "get"],
  ["POST", "post"],
]);

type Tree = { readonly [name: string]: Tree };
const checks = new Map<string, AnswerCheck>();

/** Returns the check for these settings. Equal settings share a check, because compiling schemas is slow. */
export function answerCheck(settings: OpenApiSettings): AnswerCheck {
  const document = createOpenApi(settings);
  const name = JSON.stringify(document);
  const known = checks.get(name) ?? makeCheck(JSON.parse(name) as Tree); // plain data, walked below
  checks.set(name, known);
  return known;
}

function makeCheck(document: Tree): AnswerCheck {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false, logger: false });
  (addFormats as unknown as (ajv: Ajv2020) => void)(ajv); // ajv-formats has types of a CommonJS module
  for (const keyword of ["x-charge", "components", "paths", "openapi", "info", "servers", "tags"])
    ajv.addKeyword(keyword);
  ajv.addSchema({ $id: "api:document", ...document });
  const validators = new Map<string, ValidateFunction>();
  const paths = Object.keys(document["paths"]!)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/\{[^}]*\}/g, "[^/]+")}$`) }))
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length);

  function demand(pointer: string, value: unknown, what: string): void {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `api:document#${pointer}` });
    validators.set(pointer, validate);
    const isValid = validate(value);
    assert.ok(isValid, `${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)?.slice(0, 300)}`);
  }

  /** A documented header field may appear only on answers for which it is documented, and must have a valid value. */
  function demandFields(documented: Tree, fields: ReadonlyMap<string, string>, what: string): void {
    for (const known of Object.keys(document["components"]!["headers"]!)) {
      const value = fields.get(known.toLowerCase());
      if (value === undefined) continue;
      assert.ok(known in documented, `${what} has the field ${known}, which the document does not allow there`);
      const isNumber = String(document["components"]!["headers"]![known]!["schema"]!["type"]) === "integer";
      demand(`/components/headers/${known}/schema`, isNumber ? Number(value) : value, `${what}, ${known}`);
    }
  }

  /** Checks an answer outside the documented operations: the error body, the page, or an empty body for OPTIONS. */
  function demandNoOperation({ method, status, text }: Checked, path: string, type: string | undefined): void {
    if (status === 204 && method === "OPTIONS") return;
    if (PAGE.test(path) && (status === 200 || status === 304 || status === 307)) return;
    assert.equal(type, "application/json", path);
    if (text !== "") demand("/components/schemas/Error", JSON.parse(text), path);
  }

  return (exchange) => {
    const { method, target, status, text } = exchange;
    const what = `${method} ${target} answered with ${status}`;
    const path = decoded(target.replace(/^https?:\/\/[^/?#]*/i, "").split("?")[0]!);
    const fields = new Map(Object.entries(exchange.headers).map(([name, value]) => [name.toLowerCase(), value]));
    assert.ok(fields.has("x-request-id"), `${what}: no request id`);
    const type = fields.get("content-type")?.split(";")[0];
    const template = paths.find(({ pattern }) => pattern.test(path))?.path;
    const verb = VERBS.get(method) ?? "";
    const operation = template === undefined ? undefined : document["paths"]![template]![verb];
    if (operation === undefined) return demandNoOperation(exchange, path, type);
    const named = operation["responses"]![String(status)];
    assert.ok(named, `${what}, which the document does not allow`);
    const reference = named["$ref"] as unknown as string | undefined;
    const response =
      reference === undefined ? named : document["components"]!["responses"]![reference.split("/").at(-1)!]!;
    demandFields(response["headers"] ?? {}, fields, what);
    if (type === "text/csv") return assert.match(String(operation["description"]), /`Accept: text\/csv`/, what);
    const content = response["content"];
    if (content === undefined) return assert.equal(text, "", what);
    const media = type !== undefined && type in content ? type : "*/*";
    assert.ok(media in content, `${what} is ${type}, which the document does not allow`);
    if (type !== "application/json" || text === "" || media === "*/*") return;
    const pointer = reference?.slice(1) ?? `/paths/${escape(template!)}/${verb}/responses/${status}`;
    demand(`${pointer}/content/${escape(media)}/schema`, JSON.parse(text), what);
  };
}

/** A decoded path, as routes see it; unchanged if it cannot be decoded. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function escape(part: string): string {
  return encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"));
}
