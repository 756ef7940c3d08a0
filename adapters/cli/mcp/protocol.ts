import { attempt, messageOf } from "../command_failure.ts";
import { PARAMETERS, TOOLS, type Tool, type ToolArguments } from "./tools.ts";

/** The supported revisions of the Model Context Protocol. A client with another revision is offered the first one. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];
const INSTRUCTIONS = `Prices of the Iranian market and of crypto. Codes that end in _RLS are in rial, 10 of which are 1 toman; those that end in _USD in US dollars.
State the unit and the time of each price. Days are in the market's time zone, except for candles, whose days are in UTC.`;
/** Error codes of JSON-RPC 2.0. */
const FAULTS = { parse: -32700, request: -32600, method: -32601, params: -32602 } as const;
const MAX_TEXT = 1_000;
type Members = Readonly<Record<string, unknown>>;
/** The maximum number of questions that are answered at the same time. Further questions wait. */
const MAX_QUESTIONS = 4;

/**
 * Makes a function that answers a JSON-RPC message or batch; it resolves to `undefined` if there is nothing to send.
 * A message may come while earlier ones are still being answered.
 *
 * @param ask Answers a question until the signal is aborted. If it throws, the assistant gets the message of the error.
 */
export function createMcp(
  version: string,
  ask: (tool: Tool, given: ToolArguments, signal: AbortSignal) => Promise<string>,
): (line: string) => Promise<string | undefined> {
  /** The questions that are being answered, by the id of their request. */
  const running = new Map<unknown, AbortController>();
  const asking = new Set<Promise<object>>();

  async function reply(method: string, params: Members, signal: AbortSignal): Promise<object> {
    if (method === "ping") return { result: {} };
    if (method === "tools/list") return { result: { tools: Object.entries(TOOLS).map(described) } };
    if (method === "initialize") {
      const protocolVersion = REVISIONS.find((one) => one === params["protocolVersion"]) ?? REVISIONS[0];
      const about = { capabilities: { tools: {} }, serverInfo: { name: "mazaneh", version } };
      return { result: { protocolVersion, ...about, instructions: INSTRUCTIONS } };
    }
    if (method !== "tools/call") return fault("method", `There is no method "${method}"`);
    const { name } = params;
    const tool = typeof name === "string" && Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
    const given = isObject(params["arguments"]) ? params["arguments"] : {};
    if (tool === undefined) return fault("params", `There is no tool "${typeof name === "string" ? name : ""}"`);
    const texts = Object.fromEntries(tool.parameters.map((name) => [name, textOf(given[name])]));
    const missing = tool.parameters.find((name) => texts[name] === undefined);
    if (missing !== undefined)
      return textResult(`${missing} must be a text or a list of texts, of at most ${MAX_TEXT} characters`, true);
    while (asking.size >= MAX_QUESTIONS) await Promise.race(asking);
    const answered = ask(tool, texts as ToolArguments, signal).then(
      (answer) => textResult(answer, false),
      (error: unknown) => textResult(messageOf(error), true),
    );
    asking.add(answered);
    return answered.finally(() => asking.delete(answered));
  }

  async function answer(message: unknown): Promise<string | undefined> {
    const { id: given, method, params } = isObject(message) ? message : {};
    if (isObject(message) && !Object.hasOwn(message, "id")) {
      if (method === "notifications/cancelled" && isObject(params)) running.get(params["requestId"])?.abort();
      return undefined;
    }
    // Only texts and numbers are valid ids. Other values may be nested too deeply to be written as JSON.
    const id = typeof given === "string" || typeof given === "number" ? given : null;
    const write = (answer: object): string => JSON.stringify({ jsonrpc: "2.0", id, ...answer });
    if (message === undefined) return write(fault("parse", "The line is not JSON"));
    if (typeof method === "string" && (given === id || given === undefined)) {
      const controller = new AbortController();
      running.set(id, controller);
      const answered = await reply(method, isObject(params) ? params : {}, controller.signal);
      if (running.get(id) === controller) running.delete(id);
      return controller.signal.aborted ? undefined : write(answered);
    }
    const wanted = "a JSON object with a method, and an id that is a text, a number or null";
    return write(fault("request", `A line must be one request, or a list of them: ${wanted}`));
  }

  return async (line) => {
    const message = attempt((): unknown => JSON.parse(line));
    if (!Array.isArray(message) || message.length === 0) return answer(message);
    const answers = (await Promise.all(message.map(answer))).filter((one) => one !== undefined);
    return answers.length === 0 ? undefined : `[${answers.join()}]`;
  };
}

/** Reads a text. Joins a list of texts, which some assistants send, with commas. */
function textOf(value: unknown): string | undefined {
  const text = Array.isArray(value) && value.every((one) => typeof one === "string") ? value.join(",") : value;
  return typeof text === "string" && text.length <= MAX_TEXT ? text : undefined;
}

function described([name, { description, parameters }]: readonly [string, Tool]): object {
  const properties = Object.fromEntries(parameters.map((one) => [one, { type: "string", ...PARAMETERS[one] }]));
  return {
    name,
    description,
    inputSchema: { type: "object", properties, required: parameters },
    annotations: { readOnlyHint: true },
  };
}

function textResult(text: string, isError: boolean): object {
  return { result: { content: [{ type: "text", text }], isError } };
}

function fault(kind: keyof typeof FAULTS, message: string): object {
  return { error: { code: FAULTS[kind], message } };
}

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
