import { OWN_DELAY_MS, SOURCE_DAYS_MS } from "../../../core/internal.ts";
import type { AssetCode, DayReferences, ReferenceAccess, ReferenceValue, UtcMillis } from "../../../core/mod.ts";
import { NO_PROCESS } from "../shared/imports.ts";
import { assetIds, assetsOf } from "./asset_locks.ts";
import { codesOf } from "./batch_columns.ts";
import type { Query } from "./connection.ts";
import { toStored } from "./escape_text.ts";

/**
 * For each direction from a day: the kind of its reference, the kind of the nearest record, and the order in which days
 * are searched (1: later days first; -1: earlier days first).
 */
const STOOD = [
  ["earlier", "last", 1],
  ["later", "next", -1],
] as const;
const KINDS = ["earlier", "same", "later", "last", "next", "decided"] as const;

interface ReferenceRow {
  readonly nth: number;
  readonly kind: (typeof KINDS)[number];
  readonly time: number;
  readonly value: number;
}

type Found = Partial<Record<keyof DayReferences, ReferenceValue>>;

/** How many rows of an asset are searched for a reference. A separate search finds a reference that is further away. */
const USUAL_ROWS = 2_000;

/**
 * Finds the values around market days: see `ReferenceAccess`. Values that feeds have replaced are in the undo records
 * of the feeds' imports. Each row is read only a few times, even if a feed has stored very many rows today.
 */
export async function readReferences(
  query: Query,
  [days, since, source]: Parameters<ReferenceAccess["references"]>,
): Promise<readonly DayReferences[]> {
  const ids = await assetIds(query, codesOf(days));
  const found = days.map((): Found => ({}));

  async function read(places: readonly number[], rows: number | "ALL"): Promise<void> {
    const asked = places.map((place) => days[place]!);
    const columns = [assetsOf(asked, ids), asked.map(({ from }) => from), asked.map(({ to }) => to)];
    const values = [...columns, since, source === null ? null : toStored(source)];
    for (const { nth, kind, time, value } of await query<ReferenceRow>(referencesSql(rows), values))
      found[places[nth - 1]!]![kind] = { businessTime: time as UtcMillis, value };
  }

  const known = [...days.keys()].filter((place) => ids.has(days[place]!.code));
  await read(known, USUAL_ROWS);
  const isOpen = (place: number, [kind, any]: (typeof STOOD)[number]): boolean =>
    found[place]![kind] === undefined && found[place]![any] !== undefined;
  for (const kinds of STOOD) {
    const [kind, , step] = kinds;
    const last = new Map<AssetCode, Found>();
    const open = known.filter((place) => isOpen(place, kinds));
    for (const place of open.sort((a, b) => (days[b]!.from - days[a]!.from) * step)) {
      const { code, from, to } = days[place]!;
      const before = last.get(code);
      // The reference of the previously searched day is also the reference of this day if that reference lies before
      // this day (for `earlier`) or after this day (for `later`).
      if (
        before &&
        (!before[kind] || (step === 1 ? before[kind].businessTime < from : before[kind].businessTime >= to))
      )
        Object.assign(found[place]!, { [kind]: before[kind] });
      else await read([place], "ALL");
      last.set(code, found[place]!);
    }
  }
  return found;
}

/** @param rows How many rows before or after a day are searched. */
function referencesSql(rows: number | "ALL"): string {
  // $1 to $3: asset, first moment and end of each day; $4: the moment whose data is searched;
  // $5: the source of the references, or NULL for all sources.
  const stood = `quality = 0 AND (insert_time < $4::float8::bigint OR import IN (SELECT id FROM people)) AND ($5::text IS NULL OR (source = $5::text AND insert_time <= business_time + ${OWN_DELAY_MS}))`;
  const nearest = (
    [from, where]: readonly [from: string, where: string],
    order: "DESC" | "ASC",
    columns = "business_time, value",
    atMost: number | "ALL" = 1,
  ): string =>
    `(SELECT ${columns} FROM ${from} WHERE asset = asked.asset AND ${where} ORDER BY business_time ${order} LIMIT ${atMost})`;
  const observations = "mazaneh.observations";
  const standing = (where: string, order: "DESC" | "ASC"): string => `SELECT business_time, value FROM (
    (SELECT business_time, value, 0 AS rank FROM ${nearest([observations, `${where} AND quality = 0`], order, "*", rows)} AS near WHERE ${stood} ORDER BY business_time ${order} LIMIT 1)
    UNION ALL SELECT old.* FROM replacing CROSS JOIN LATERAL ${nearest(
      ["mazaneh.undo_records", `by_import = replacing.id AND ${where} AND ${stood}`],
      order,
      "business_time, value, 1 AS rank",
    )} AS old
  ) AS both_kinds ORDER BY business_time ${order}, rank LIMIT 1`;
  const ofSource = `($5::text IS NULL OR business_time >= asked.first - ${SOURCE_DAYS_MS})`;
  const selects: Record<(typeof KINDS)[number], string> = {
    earlier: standing(`business_time < asked.first AND ${ofSource}`, "DESC"),
    same: standing("business_time >= asked.first AND business_time < asked.behind", "DESC"),
    later: standing("business_time >= asked.behind", "ASC"),
    last: nearest([observations, "business_time < asked.behind AND quality = 0"], "DESC"),
    next: nearest([observations, "business_time >= asked.behind AND quality = 0"], "ASC"),
    decided: nearest(
      [
        observations,
        "business_time >= asked.first AND business_time < asked.behind AND quality = 0 AND import IN (SELECT id FROM people)",
      ],
      "DESC",
    ),
  };
  return `WITH people AS MATERIALIZED (
  SELECT id FROM mazaneh.imports WHERE pid <> ${NO_PROCESS.pid}
), replacing AS MATERIALIZED (
  SELECT id FROM mazaneh.imports WHERE pid = ${NO_PROCESS.pid} AND noted > 0
    AND CASE WHEN $5::text IS NULL THEN time >= $4::float8 ELSE time >= $4::float8 OR source <> $5::text END
)
SELECT nth, kind, business_time AS time, value
FROM unnest($1::text::int[], $2::text::bigint[], $3::text::bigint[]) WITH ORDINALITY AS asked (asset, first, behind, nth), LATERAL (
  ${KINDS.map((kind) => `SELECT '${kind}' AS kind, business_time, value FROM (${selects[kind]}) AS ${kind}`).join("\n  UNION ALL ")}
) AS found`;
}
