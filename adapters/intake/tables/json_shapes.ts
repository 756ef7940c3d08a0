import {
  isFields,
  isHolder,
  type JsonMembers,
  rowsOfService,
  rowsOfServices,
  withoutCommas,
} from "./known_json_services.ts";
import type { Cells } from "./record_columns.ts";

/** The rows of a JSON file: objects or, by mistake, other values. */
interface JsonRows {
  /** The shape in words, such as `JSON list "data"`. */
  readonly form: string;
  readonly rows: readonly unknown[];
  /** The name of the member that contains the rows, which may name their asset. */
  readonly title?: string;
  /** The texts of the members beside the rows, which may state a currency, such as `market: EUR`. */
  readonly beside?: readonly string[];
}

type Members = readonly (readonly [name: string, member: unknown])[];

/** Members that contain the rows in answers of services. */
const LISTS =
  "data result results response payload items records rows prices values history candles assets quotes list current".split(
    " ",
  );
/** Members of an answer that apply to all its rows. */
const OF_ALL_ROWS = ["code", "symbol", "asset", "نماد", "unit", "currency", "quoteUnit", "واحد"];
const LONGEST_TEXT = 100;
const TIME = /^(?:\d{10,19}|\d{4}([-/])\d{1,2}\1\d{1,2}(?:[T ].*)?)$/;
const INDEX = /^\d{1,9}$/;
/** The form of lists that begin with a time. Their columns are named by numbers. */
export const LISTS_WITHOUT_NAMES = "JSON lists without names";
const DAY = /^\d{4}[-/]\d\d[-/]\d\d$/;

/** Finds the rows of JSON values: an array of objects, one or several answers of a service, or a table of pandas. */
export function rowsOfJson(values: readonly unknown[]): JsonRows {
  const first = rowsOf(values[0]);
  if (first && values.length === 1) return first;
  return {
    form: first?.form ?? "JSON objects",
    beside: first?.beside ?? [],
    rows: values.flatMap((value) => rowsOf(value)?.rows ?? [value]),
  };
}

/** The rows in a JSON value; `undefined` if it is a row itself, or has none. */
export function rowsOf(value: unknown): JsonRows | undefined {
  if (Array.isArray(value)) return rowsOfList(value);
  return isFields(value) ? rowsOfObject(value) : undefined;
}

function rowsOfList(list: readonly unknown[]): JsonRows {
  if (list.length > 0 && list.every(Array.isArray))
    return rowsOfLists(list) ?? { form: "JSON array", rows: list.flat().every(isFields) ? list.flat() : list };
  const known = rowsOfServices([[undefined, list]]);
  if (known) return { form: `JSON of ${known.service}`, rows: known.rows };
  const answer = isFields(list[0]) ? rowsOfObject(list[0]) : undefined;
  if (!answer) return { form: "JSON array", rows: list };
  const rows = list.flatMap((other, at) => (at === 0 ? answer : rowsOf(other))?.rows ?? [other]);
  return { form: answer.form, beside: answer.beside ?? [], rows };
}

function rowsOfLists(lists: readonly Cells[]): JsonRows | undefined {
  const isEach = (test: (row: readonly unknown[]) => boolean): boolean => lists.every(test);
  const [first = [], ...others] = lists;
  if (isEach((row) => row.length === 2 && isTime(row[0])))
    return { form: "JSON pairs of time and value", rows: lists.map(([time, value]) => ({ time, value })) };
  if (isEach((row) => row.length === 8 && DAY.test(String(row[6])) && DAY.test(String(row[7])))) {
    const rows = lists.map((row) => {
      const [open, low, high, close] = row.map(withoutCommas);
      return { date: row[6], open, high, low, close };
    });
    return { form: "JSON table of tgju", rows };
  }
  if (first.length >= 5 && isTime(first[0]) && !first.some(isHolder)) {
    const rows = lists.map((row) => Object.fromEntries(row.map((cell, at) => [at + 1, cell])));
    return { form: LISTS_WITHOUT_NAMES, rows };
  }
  const hasHeader = others.length > 0 && first.every((name) => typeof name === "string" && /\p{L}/u.test(name));
  return hasHeader ? { form: "JSON lists under names", rows: rowsUnder(first.map(String), others) } : undefined;
}

function rowsOfObject(value: JsonMembers): JsonRows | undefined {
  const members = Object.entries(value);
  const known = rowsOfService(value) ?? rowsOfServices(members);
  if (known) return { form: `JSON of ${known.service}`, rows: known.rows };
  if (members.some(([name, member]) => (name === "value" || name === "price") && !isHolder(member))) return undefined;
  return rowsOfColumns(value, members) ?? rowsByKey(members) ?? rowsOfAnswer(value, members);
}

/** Reads lists by column, such as TradingView's history (also of tgju and Nobitex) and `split` of pandas. */
function rowsOfColumns(value: JsonMembers, members: Members): JsonRows | undefined {
  const { columns, data, index, t, c, meta, timestamp, indicators } = value;
  const [quote] = isFields(indicators) && Array.isArray(indicators["quote"]) ? indicators["quote"] : [];
  if (Array.isArray(timestamp) && isFields(quote)) {
    const found = rowsOfObject({ timestamp, ...quote });
    const rows = found?.rows.filter(isFields).map((row) => (isFields(meta) ? ofAllRows(meta, row) : row));
    return rows && { form: "JSON chart of Yahoo", rows };
  }
  if (Array.isArray(columns) && Array.isArray(data) && data.every(Array.isArray)) {
    const rows = rowsUnder(columns.map(String), data);
    const times = Array.isArray(index) ? index : [];
    return { form: "JSON split of pandas", rows: rows.map((row, at) => withTime(row, times[at])) };
  }
  const lists = members.filter(
    (member): member is [string, readonly unknown[]] =>
      Array.isArray(member[1]) && member[1].length > 0 && !member[1].some(isHolder),
  );
  const [first] = lists;
  const columnLists = lists.filter(([, list]) => list.length === first?.[1].length);
  if (!first || columnLists.length < 2) return undefined;
  const isHistory = Array.isArray(t) && Array.isArray(c);
  const words = "o" in value ? { t: "start", o: "open", h: "high", l: "low", c: "close" } : { t: "time", c: "value" };
  const named = new Map(isHistory ? Object.entries(words) : []);
  const names = columnLists.map(([name]) => named.get(name) ?? name);
  const rows = first[1].map((_, at) =>
    Object.fromEntries(columnLists.map(([, list], column) => [names[column]!, list[at]])),
  );
  return {
    form: isHistory ? "JSON history of TradingView" : "JSON lists by column",
    rows: rows.map((row) => ofAllRows(value, row)),
    beside: textsOf(value),
  };
}

/** Reads an object whose members are rows or columns, as pandas writes them, or values by their times. */
function rowsByKey(members: Members): JsonRows | undefined {
  const keys = members.map(([key]) => key);
  if (keys.length > 0 && keys.every(isTime) && !members.some(([, member]) => isHolder(member)))
    return { form: "JSON values by time", rows: members.map(([time, value]) => ({ time, value })) };
  const objects = members.filter(
    (member): member is [string, JsonMembers] => isFields(member[1]) && !Object.values(member[1]).some(isHolder),
  );
  if (objects.length === 0 || objects.length < members.length) return undefined;
  const inner = Object.keys(objects[0]![1]);
  if (inner.every(isIndex)) {
    const rows = new Map<string, [name: string, cell: unknown][]>(inner.map((key) => [key, []]));
    for (const [name, column] of objects) for (const key in column) rows.get(key)?.push([name, column[key]]);
    const cellsByRow = [...rows].map(([key, cells]) => withTime(Object.fromEntries(cells), key));
    return { form: "JSON columns of pandas", rows: cellsByRow };
  }
  if (keys.every(isIndex))
    return { form: "JSON rows of pandas", rows: objects.map(([key, row]) => withTime(row, key)) };
  if (keys.length === 1 && LISTS.includes(keys[0]!))
    return { form: `JSON object "${keys[0]!}"`, rows: [objects[0]![1]] };
  return { form: "JSON rows by name", rows: objects.map(([code, row]) => ({ code, ...row })) };
}

/** The rows in a member of a service's answer. */
function rowsOfAnswer(value: JsonMembers, members: Members): JsonRows | undefined {
  // Each member is searched only once; otherwise the time would double with each level.
  const rowsIn = new Map(members.map(([name, member]) => [name, isFields(member) ? rowsOfObject(member) : undefined]));
  const holders = members.filter(([name, member]) => {
    if (Array.isArray(member)) return member.length === 0 ? LISTS.includes(name) : member.some(isHolder);
    return rowsIn.get(name) !== undefined;
  });
  const lists = holders.flatMap(([, member]) =>
    Array.isArray(member) && isFields(member[0]) && "price" in member[0] ? [member] : [],
  );
  const isOneKind =
    lists.length > 1 && lists.length === holders.length && !holders.some(([holder]) => LISTS.includes(holder));
  if (isOneKind) return { form: "JSON lists of one kind", rows: lists.flat() };
  const name =
    LISTS.find((list) => holders.some(([holder]) => holder === list)) ??
    (holders.length === 1 ? holders[0]![0] : undefined);
  const found = name === undefined ? undefined : (rowsIn.get(name) ?? rowsOf(value[name]));
  if (!found) return undefined;
  const rows = found.rows
    .filter((row) => !isFields(row) || row["complete"] !== false)
    .map((row) => (isFields(row) ? ofAllRows(value, row) : row));
  const form = found.form === "JSON array" ? `JSON list "${name!}"` : found.form;
  const title = found.title ?? (LISTS.includes(name!) ? undefined : name);
  const others = Object.fromEntries(members.filter(([other]) => other !== name));
  return {
    form: rows.length < found.rows.length ? `${form} without incomplete candles` : form,
    rows,
    ...(title !== undefined && { title }),
    beside: [...textsOf(others), ...(found.beside ?? [])],
  };
}

/** The short texts in an object at any depth, each with its name. */
function textsOf(object: JsonMembers): readonly string[] {
  return Object.entries(object).flatMap(([name, member]) => {
    if (isFields(member)) return textsOf(member);
    return typeof member === "string" && member.length <= LONGEST_TEXT ? [`${name}: ${member}`] : [];
  });
}

/** Adds to a row the members of its answer that apply to all rows. */
function ofAllRows(answer: JsonMembers, row: JsonMembers): JsonMembers {
  // If `code` is a number, it is the status of the answer, not the code of an asset.
  const own = OF_ALL_ROWS.filter(
    (name) => name in answer && !isHolder(answer[name]) && !(name in row) && !INDEX.test(String(answer[name])),
  );
  return own.length === 0 ? row : { ...row, ...Object.fromEntries(own.map((name) => [name, answer[name]])) };
}

/** Adds a row's index as its date if the index is a time and the row has no date. */
function withTime(row: JsonMembers, index: unknown): JsonMembers {
  return isTime(index) && !("date" in row) ? { date: index, ...row } : row;
}

function rowsUnder(names: readonly string[], lists: readonly Cells[]): JsonMembers[] {
  return lists.map((list) => Object.fromEntries(list.slice(0, names.length).map((cell, at) => [names[at]!, cell])));
}

function isTime(key: unknown): boolean {
  return TIME.test(String(key));
}

function isIndex(key: string): boolean {
  return INDEX.test(key) || isTime(key);
}
