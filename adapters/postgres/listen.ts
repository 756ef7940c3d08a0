import { Unavailable } from "../../core/mod.ts";
import type { PgClient, PostgresJs } from "./client.ts";
import { portError } from "./client_errors.ts";
import type { Query } from "./connection.ts";
import { createPings } from "./pings.ts";
import { quoteName } from "./schema.ts";

/** A connection that listens to one channel. */
export interface Listening {
  /** Runs a statement on the listening connection, for which no other user of the pool is waited for. With `postgres`, on any. */
  readonly query: Query;
  /**
   * Sends a message through the server and waits until it is heard. Then all that was notified before has been heard too,
   * as a server hands on notifications in the order of their commits. It waits as long as it takes: the caller sets a limit.
   */
  check(): Promise<void>;
  /** Ends it. A check under way is rejected, and `lost` is not called. */
  close(): Promise<void>;
}

/** Which channel is listened to, and who is told. */
export interface Listener {
  readonly channel: string;
  /** Gets the payload of each notification. */
  heard(payload: string): void;
  /** Called at most once, when the connection has ended. */
  lost(): void;
}

/** How long it may take until a connection listens. */
const LIMIT_MS = 2_000;
const NOTIFY = "SELECT pg_notify($1::text, $2::text)";

/** A pool of `pg`, as a listener uses it. */
export interface ListenerPool {
  connect(): Promise<PgClient>;
  queryOn(client: PgClient): Query;
  /** Closes the connections that nobody uses: they have most likely gone silent with that of the listener. */
  dropIdle(): void;
}

/** Listens on a connection of `pg`, which it takes out of the pool for as long as it listens. */
export function listenThroughPg({ connect, queryOn, dropIdle }: ListenerPool, { channel, heard, lost }: Listener): Promise<Listening> {
  const pings = createPings();
  let client: PgClient | undefined;
  let ended = false;
  let unanswered = 0;

  function end(): void {
    ended = true;
    pings.fail();
    // Closed, not given back: another user of the pool would get the notifications.
    client?.release(true);
    client = undefined;
  }

  function onEnd(): void {
    if (ended) return;
    end();
    lost();
  }

  async function begin(): Promise<Listening> {
    const connected = await connect();
    client = connected;
    if (ended) end();
    connected.on("notification", ({ channel: from, payload = "" }) => {
      if (from === channel && !ended && !pings.hear(payload)) heard(payload);
    });
    await connected.query({ text: `LISTEN ${quoteName(channel)}` });
    connected.on("error", onEnd);
    connected.on("end", onEnd);
    const query = queryOn(connected);
    return {
      query,
      async check() {
        unanswered++;
        await pings.send((message) => query(NOTIFY, [channel, message]));
        unanswered--;
      },
      async close() {
        if (unanswered > 0) dropIdle();
        end();
      },
    };
  }

  return withinLimit(begin, () => {
    dropIdle();
    end();
  });
}

/**
 * Listens with `postgres`, which opens one connection for it, and opens it again by itself. It tells when it listens
 * anew, not when the connection ends: until then a check stays unanswered. As it never forgets a channel that it could
 * not listen to at once, it is asked for each channel once.
 */
export function listenThroughPostgresJs(sql: PostgresJs, query: Query): (listener: Listener) => Promise<Listening> {
  interface Hearer {
    hear(payload: string): void;
    /** The client listens, or listens anew. */
    listens(): void;
  }
  const channels = new Map<string, Set<Hearer>>();

  function hearersOf(channel: string): Set<Hearer> {
    const known = channels.get(channel);
    if (known) return known;
    const hearers = new Set<Hearer>();
    channels.set(channel, hearers);
    const hear = (payload: string): void => hearers.forEach((hearer) => hearer.hear(payload));
    // Where this fails, the client goes on trying.
    sql.listen(channel, hear, () => hearers.forEach((hearer) => hearer.listens())).catch(() => {});
    return hearers;
  }

  return ({ channel, heard, lost }) => {
    const pings = createPings();
    const send = (): Promise<void> => pings.send((message) => query(NOTIFY, [channel, message]));
    const hearers = hearersOf(channel);
    let hearer: Hearer | undefined;

    function end(): void {
      if (hearer) hearers.delete(hearer);
      pings.fail();
    }

    async function begin(): Promise<Listening> {
      await new Promise<void>((resolve) => {
        let listening = false;
        hearer = {
          hear(payload) {
            if (!pings.hear(payload) && listening) heard(payload);
          },
          listens() {
            if (listening) {
              end();
              lost();
            }
            listening = true;
            resolve();
          },
        };
        hearers.add(hearer);
        // Answered where the client listens already.
        send().then(hearer.listens, () => {});
      });
      return { query, check: send, close: async () => end() };
    }

    return withinLimit(begin, end);
  };
}

/** Begins, but not for longer than the limit; then, or when it fails, `end` is called. */
async function withinLimit<T>(begin: () => Promise<T>, end: () => void): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable(`PostgreSQL does not listen within ${LIMIT_MS} ms`)), LIMIT_MS);
  });
  try {
    return await Promise.race([begin(), late]);
  } catch (error) {
    end();
    throw portError(error);
  } finally {
    clearTimeout(timer);
  }
}
