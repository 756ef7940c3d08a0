import { crc32 } from "node:zlib";
import type { KeyEntry } from "../../core/accounts/accounts.ts";
import type { AssetCode, KeyId } from "../../core/brand.ts";
import type { Observation } from "../../core/market/observation.ts";

/** Observations sent as one act. */
export interface Batch {
  readonly observations: readonly Observation[];
  /** Whether the acknowledgement has arrived. */
  answered: boolean;
}

/** What was sent to a server and what it has answered; finds answers that do not hold. */
export interface Ledger {
  readonly violations: string[];
  /** Keys that were acknowledged. */
  readonly keys: Map<KeyId, { readonly id: KeyId; readonly revoked: boolean }>;
  send(observations: readonly Observation[]): Batch;
  acknowledge(batch: Batch): void;
  /** How many answers have arrived. */
  answers(): number;
  /** A value that no other observation has: so each line of the log tells where it comes from. */
  newValue(): number;
  newMinute(code: AssetCode): number;
  minutes(code: AssetCode): number;
  /** Counts an answer: 200 for a unit served. */
  answer(account: number, status: number, resetAt: number): void;
  /** Checks a log by its text alone. */
  checkLog(lines: readonly { readonly line: string }[]): void;
  /** Checks the records that a store shows against the log checked before. */
  checkRecords(records: Iterable<Observation>): void;
  checkUnits(date: string, lines: readonly string[]): void;
  checkKeys(keys: readonly KeyEntry[]): void;
  counts(): { records: number; units: number; refusedUnits: number; keys: number };
}

/** Makes a ledger for accounts with these daily limits, named `account-0` and so on. */
export function createLedger(limits: readonly number[]): Ledger {
  const violations: string[] = [];
  const keys: Ledger["keys"] = new Map();
  const batches: Batch[] = [];
  const sent = new Map<number, { batch: Batch; observation: Observation }>();
  const minutes = new Map<AssetCode, number>();
  const served = new Map<string, number[]>();
  const shown = new Map<string, number>();
  let values = 0;
  let answers = 0;
  let units = 0;
  let refusedUnits = 0;

  function checkLog(lines: readonly { readonly line: string }[]): void {
    let [storeId, kind] = ["", ""];
    let sequence = 0;
    let isCompacted = false;
    const found = new Set<number>();
    for (const { line } of lines) {
      const body = line.slice(0, line.lastIndexOf(',"k":'));
      const object = JSON.parse(line) as { storeId?: string; kind?: string; first?: number; s?: number; c?: string; t?: number; v?: string; k?: string };
      const isNewKind = object.kind !== undefined && object.kind !== kind;
      ({ storeId, kind } = { storeId, kind, ...object });
      if (Number.parseInt(object.k ?? "", 16) !== crc32(body, crc32(`${storeId}/${kind}`))) violations.push(`wrong checksum: ${line}`);
      if (object.storeId !== undefined) {
        // The lines of a compacted log have numbers of their own.
        isCompacted ||= kind === "base";
        if (isNewKind && isCompacted) sequence = object.first! - 1;
        continue;
      }
      if (object.s !== ++sequence) violations.push(`line ${object.s} where ${sequence} was to come`);
      const source = sent.get(Number(object.v));
      if (!source || source.observation.code !== object.c || source.observation.businessTime !== object.t) {
        violations.push(`a line that nobody sent: ${line}`);
        continue;
      }
      found.add(source.observation.value);
      shown.set(`${object.c} ${object.t}`, Number(object.v));
    }
    for (const batch of batches) {
      // The records of a code are sent one after the other, so that later values are higher.
      const isSuperseded = ({ code, businessTime, value }: Observation): boolean => isCompacted && (shown.get(`${code} ${businessTime}`) ?? 0) > value;
      const isThere = batch.observations.some(({ value }) => found.has(value));
      const count = isThere || batch.answered ? batch.observations.filter((one) => found.has(one.value) || isSuperseded(one)).length : 0;
      if (count !== batch.observations.length && (batch.answered || count > 0)) {
        violations.push(`${count} of ${batch.observations.length} records of a batch${batch.answered ? " that was acknowledged" : ""}`);
      }
    }
  }

  function checkUnits(date: string, lines: readonly string[]): void {
    const reserved = new Map<string, number>();
    for (const line of lines) {
      const { a, r, u } = JSON.parse(line) as { a?: string; r?: number; u?: number };
      if (a !== undefined) reserved.set(a, r ?? u ?? NaN);
    }
    const units = served.get(date) ?? limits.map(() => 0);
    units.forEach((count, i) => {
      const known = reserved.get(`account-${i}`) ?? 0;
      if (!(count <= known && known <= limits[i]!)) violations.push(`${date}: account ${i} was served ${count}, has reserved ${known}, of ${limits[i]}`);
    });
    served.delete(date);
  }

  return {
    violations,
    keys,
    send(observations) {
      const batch = { observations, answered: false };
      batches.push(batch);
      for (const observation of observations) sent.set(observation.value, { batch, observation });
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
      if (status === 429) refusedUnits++;
      else if (status === 200) {
        const date = new Date(resetAt * 1_000 - 1).toISOString().slice(0, 10);
        if (!served.has(date)) served.set(date, limits.map(() => 0));
        served.get(date)![account]!++;
        units++;
      } else if (status !== 404) violations.push(`an answer with status ${status}`);
    },
    checkLog,
    checkRecords(records) {
      let count = 0;
      for (const { code, businessTime, value } of records) {
        count++;
        const expected = shown.get(`${code} ${businessTime}`);
        if (value !== expected) violations.push(`shows ${value} for ${code} at ${businessTime}, and the log says ${expected}`);
      }
      if (count !== shown.size) violations.push(`shows ${count} records, and the log has ${shown.size}`);
    },
    checkUnits,
    checkKeys(found) {
      for (const { id, revoked } of keys.values()) {
        const entry = found.find((key) => key.id === id);
        if (!entry) violations.push(`the acknowledged key ${id} is lost`);
        else if (revoked && entry.revokedAt === null) violations.push(`the revoked key ${id} is good again`);
      }
      for (const date of served.keys()) violations.push(`no counters of ${date}, when units were served`);
    },
    counts: () => ({ records: batches.filter(({ answered }) => answered).reduce((sum, { observations }) => sum + observations.length, 0), units, refusedUnits, keys: keys.size }),
  };
}
