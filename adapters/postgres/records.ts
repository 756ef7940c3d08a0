import type { AssetCode, Observation } from "../../core/mod.ts";
import type { Connection, Query } from "./connection.ts";
import { observationColumns, toObservation } from "./observation_rows.ts";
import type { ObservationRow } from "./observation_rows.ts";
import type { Schema } from "./schema.ts";
import { fromStored } from "./text.ts";

/** Rows that are read at a time. */
const PAGE_ROWS = 10_000;
const STATUS_COUNT = 3;

type Page = readonly Observation[];

/**
 * Every observation, of one state of the data: by asset in the order in which they came to be, then by status, then by
 * business time. It takes a connection and keeps that state until it ends, or is ended by `return`.
 */
export async function* readRecords(connection: Connection, schema: Schema): AsyncGenerator<Observation> {
  const pages = handedOver<Page>((give) =>
    connection.snapshot(async (query) => {
      for await (const page of recordPages(query, schema)) if (!(await give(page))) return;
    }),
  );
  for await (const page of pages) yield* page;
}

/** The same in pages, within a transaction. */
export async function* recordPages(query: Query, { sql }: Schema): AsyncGenerator<Page> {
  const assets = await query<{ id: number; code: string }>(`SELECT id, code FROM ${sql}.assets ORDER BY id`, []);
  for (const { id, code: stored } of assets) {
    const code = fromStored(stored) as AssetCode;
    for (let quality = 0; quality < STATUS_COUNT; quality++) {
      // Written into the text, so that the index of those not accepted is used.
      const text = `SELECT ${observationColumns("o")} FROM ${sql}.observations o
  WHERE o.asset = $1::integer AND o.quality = ${quality} AND o.business_time > $2::float8::bigint ORDER BY o.business_time LIMIT ${PAGE_ROWS}`;
      let after = -Number.MAX_SAFE_INTEGER;
      for (let full = true; full; ) {
        const page = (await query<ObservationRow>(text, [id, after])).map((row) => toObservation(code, row));
        full = page.length === PAGE_ROWS;
        if (page.length === 0) continue;
        after = page.at(-1)!.businessTime;
        yield page;
      }
    }
  }
}

/** What `produce` gives, one by one, as it is asked for. `give` tells whether more is wanted. */
async function* handedOver<T>(produce: (give: (value: T) => Promise<boolean>) => Promise<void>): AsyncGenerator<T> {
  interface Next {
    readonly value: Promise<{ readonly value: T } | undefined>;
    resolve(value: { readonly value: T } | undefined): void;
    reject(error: unknown): void;
  }
  let next = nextOne();
  let answer: (wanted: boolean) => void = () => {};

  function nextOne(): Next {
    let settle: Pick<Next, "resolve" | "reject">;
    const value = new Promise<{ readonly value: T } | undefined>((resolve, reject) => (settle = { resolve, reject }));
    // Nobody waits for it where the reader has ended before.
    value.catch(() => {});
    return { value, ...settle! };
  }

  const done = produce((value) => {
    const wanted = new Promise<boolean>((resolve) => (answer = resolve));
    next.resolve({ value });
    return wanted;
  }).then(() => next.resolve(undefined), (error: unknown) => next.reject(error));

  try {
    for (let given = await next.value; given; given = await next.value) {
      next = nextOne();
      yield given.value;
      answer(true);
    }
  } finally {
    answer(false);
    await done;
  }
}
