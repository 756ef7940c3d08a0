import type { StoreChange } from "../shared/store.ts";
import type { Connection } from "./connection.ts";
import { fromJson, toStored } from "./escape_text.ts";

/** How many changes are kept. A server reads them every two seconds. */
const KEPT = 1_000;

/** The changes made by commands. Commands change the database directly; the servers log these changes. */
export function changesIn({ query, transaction }: Pick<Connection, "query" | "transaction">) {
  const table = "mazaneh.changes";
  let last: number | undefined;

  return {
    note: ({ user, program, pid, what, import: id, records }: StoreChange): Promise<void> =>
      transaction(async (noting) => {
        // Ensures that no smaller number is committed after a reader has seen a larger one.
        await noting(`LOCK TABLE ${table} IN EXCLUSIVE MODE`);
        await noting(
          `INSERT INTO ${table} (username, program, pid, what, import, records) VALUES ($1::text, $2::text, $3::int, $4::text, $5::int, $6::int)`,
          [toStored(user), toStored(program), pid, toStored(what), id ?? null, records ?? null],
        );
        await noting(`DELETE FROM ${table} WHERE number <= (SELECT max(number) FROM ${table}) - ${KEPT}`);
      }),
    /** The changes noted since the last call, at most `KEPT`. The first call returns an empty list. */
    async news(): Promise<readonly StoreChange[]> {
      const since = last;
      const text = `SELECT json_build_object('number', number, 'user', username, 'program', program, 'pid', pid, 'what', what, 'import', import, 'records', records)::text AS change
FROM ${table} WHERE number > $1::float8::bigint ORDER BY number`;
      const rows = since === undefined ? [] : await query<{ change: string }>(text, [since]);
      const changes = rows.map(({ change }) => fromJson<StoreChange>(change, ["import", "records"]));
      last =
        changes.at(-1)?.number ??
        since ??
        (await query<{ last: number }>(`SELECT coalesce(max(number), 0) AS last FROM ${table}`, []))[0]!.last;
      return changes;
    },
  };
}
