import type { AssetCode } from "../../core/mod.ts";
import { fromStored } from "./text.ts";

/** What a follower reads of the database. */
export interface DatabaseState {
  /** Another one after a restore. */
  readonly storeid: string;
  /** Number of changes to plans, accounts and keys. */
  readonly book: number;
  /** Number of changes to each asset's observations, by code as it is stored, as JSON. */
  readonly counters: string;
}

/** The state of a database, as far as it is known from reading it and from its notifications. */
export interface FollowedState {
  /** Takes in a notification; `false` where it says that more has changed than it tells, or nothing that is understood. */
  hear(payload: string): boolean;
  /** Notes that a reading begins: what is heard from now on may be newer than it. */
  begin(): void;
  /** Takes in what was read. It replaces all that was known before the reading began, so that no false notification lasts. */
  adopt(read: DatabaseState): void;
  /** Takes in counters that this process has raised. */
  raise(counters: Readonly<Record<string, number>>): void;
  version(codes?: readonly AssetCode[]): string;
  accounts(): object;
}

/** Makes the state of which nothing is known. */
export function createFollowedState(): FollowedState {
  let storeId = "";
  let book: number | undefined;
  let counters: ReadonlyMap<string, number> = new Map();
  /** Counters that were heard since a reading began. */
  let heard = new Map<string, number>();
  let accounts = {};

  function counterOf(code: string): number {
    return Math.max(counters.get(code) ?? 0, heard.get(code) ?? 0);
  }

  function raise(raised: Readonly<Record<string, number>>): void {
    for (const [code, counter] of byCode(raised)) heard.set(code, Math.max(counterOf(code), counter));
  }

  return {
    hear(payload) {
      const { v: raised, accounts: changes } = parse(payload);
      if (isCounters(raised)) raise(raised);
      else if (typeof changes === "number") accounts = {};
      else return false;
      return true;
    },
    begin() {
      counters = new Map([...counters, ...heard]);
      heard = new Map();
    },
    adopt(read) {
      if (read.storeid !== storeId || read.book !== book) accounts = {};
      storeId = read.storeid;
      book = read.book;
      counters = new Map(byCode(JSON.parse(read.counters) as Record<string, number>));
    },
    raise,
    version(codes = [...new Set([...counters.keys(), ...heard.keys()])] as AssetCode[]) {
      return `${storeId}.${codes.reduce((sum, code) => sum + counterOf(code), 0)}`;
    },
    accounts: () => accounts,
  };
}

function byCode(counters: Readonly<Record<string, number>>): readonly (readonly [code: string, counter: number])[] {
  return Object.entries(counters).map(([code, counter]) => [fromStored(code), counter]);
}

function parse(payload: string): { readonly v?: unknown; readonly accounts?: unknown } {
  try {
    const value: unknown = JSON.parse(payload);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function isCounters(value: unknown): value is Readonly<Record<string, number>> {
  return typeof value === "object" && value !== null && Object.values(value).every((counter) => Number.isSafeInteger(counter));
}
