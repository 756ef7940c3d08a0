import type { JsonFileStore } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId, AssetCode, CalendarDate } from "../../core/branded_types.ts";
import type { Observation } from "../../core/market/observation.ts";

/** Observations sent in one call. */
export interface Batch {
  readonly observations: readonly Observation[];
  /** Whether the acknowledgement has arrived. */
  answered: boolean;
}

/** Records the requests to a server and its answers, and finds broken promises. */
export interface Ledger {
  readonly violations: string[];
  send(observations: readonly Observation[]): Batch;
  acknowledge(batch: Batch): void;
  /** The number of answers so far. */
  answers(): number;
  /** Returns a value higher than all earlier ones, which identifies the batch of a record. */
  newValue(): number;
  newMinute(code: AssetCode): number;
  minutes(code: AssetCode): number;
  /** Counts an answer; 200 means that a unit was served. */
  answer(account: number, status: number, resetAt: number): void;
  /** Compares the content of a store with all promises; returns the broken promises. */
  check(store: JsonFileStore): Promise<void>;
  counts(): { records: number; units: number };
}

/** The name of the n-th account. */
export function accountOf(i: number): AccountId {
  return `account-${i}` as AccountId;
}

/** Makes a ledger for accounts with these daily limits. */
export function createLedger(limits: readonly number[]): Ledger {
  const violations: string[] = [];
  const batches: Batch[] = [];
  const minutes = new Map<AssetCode, number>();
  const served = new Map<CalendarDate, number[]>();
  let values = 0;
  let answers = 0;
  let units = 0;

  /** A batch is stored completely or not at all. All answered batches are stored. Later batches have higher values. */
  function checkRecords(records: Iterable<Observation>): void {
    const sent = new Map(batches.flatMap(({ observations }) => observations.map((one) => [one.value, one] as const)));
    const shown = new Map<string, number>();
    for (const { code, businessTime, value } of records) {
      if (!minutes.has(code)) continue;
      const source = sent.get(value);
      if (source?.code !== code || source.businessTime !== businessTime)
        violations.push(`the store shows ${value} for ${code} at ${businessTime}, which no client sent`);
      shown.set(`${code} ${businessTime}`, value);
    }
    for (const { observations, answered } of batches) {
      const valueNow = ({ code, businessTime }: Observation): number => shown.get(`${code} ${businessTime}`) ?? 0;
      const isThere = answered || observations.some((one) => valueNow(one) === one.value);
      const lost = isThere ? observations.filter((one) => valueNow(one) < one.value).length : 0;
      if (lost > 0)
        violations.push(
          `a batch${answered ? " that was acknowledged" : ""} has lost ${lost} of ${observations.length} records`,
        );
    }
  }

  async function checkUnits({ quota }: JsonFileStore): Promise<void> {
    for (const [date, counts] of served) {
      for (const [i, count] of counts.entries()) {
        const known = await quota.used(accountOf(i), date);
        if (!(count <= known && known <= limits[i]!))
          violations.push(
            `${date}: account ${i} was served ${count} units, with ${known} reserved and a limit of ${limits[i]}`,
          );
      }
    }
  }

  return {
    violations,
    send(observations) {
      const batch = { observations, answered: false };
      batches.push(batch);
      return batch;
    },
    acknowledge(batch) {
      answers++;
      batch.answered = true;
    },
    answers: () => answers,
    newValue: () => ++values,
    newMinute(code) {
      const minute = (minutes.get(code) ?? -1) + 1;
      minutes.set(code, minute);
      return minute;
    },
    minutes: (code) => minutes.get(code) ?? 0,
    answer(account, status, resetAt) {
      answers++;
      if (status === 200) {
        const date = new Date(resetAt * 1_000 - 1).toISOString().slice(0, 10) as CalendarDate;
        if (!served.has(date))
          served.set(
            date,
            limits.map(() => 0),
          );
        served.get(date)![account]!++;
        units++;
      } else if (status !== 404 && status !== 429) violations.push(`an answer with status ${status}`);
    },
    async check(store) {
      checkRecords(store.observations.records());
      await checkUnits(store);
    },
    counts: () => ({
      records: batches
        .filter(({ answered }) => answered)
        .reduce((sum, { observations }) => sum + observations.length, 0),
      units,
    }),
  };
}
