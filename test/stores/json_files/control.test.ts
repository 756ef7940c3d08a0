import assert from "node:assert/strict";
import { once } from "node:events";
import { appendFile, readdir, rename, writeFile } from "node:fs/promises";
import { type IncomingMessage, request, type Server } from "node:http";
import { createServer, Server as SocketServer } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { mock, test } from "node:test";
import { PROGRAM_VERSION } from "../../../adapters/server/program_version.ts";
import { sessionWith } from "../../../adapters/stores/json_files/connect_or_open.ts";
import { jsonFilesEngine } from "../../../adapters/stores/json_files/engine.ts";
import { SEAL_LENGTH, seal } from "../../../adapters/stores/json_files/log/sealed_line.ts";
import {
  connectOrOpen,
  connectToStore,
  DataDamaged,
  DirectoryInUse,
  openJsonFiles,
  readJsonFiles,
  SchemaTooNew,
  StoreError,
  verifyStore,
} from "../../../adapters/stores/json_files/mod.ts";
import type { AccountId, AssetCode, KeyId, UtcMillis } from "../../../core/branded_types.ts";
import { DAY_MS } from "../../../core/internal.ts";
import type { Observation } from "../../../core/mod.ts";
import { Unavailable } from "../../../core/ports.ts";
import {
  copyOf,
  edit,
  FIRST_SEGMENT,
  faultyFileSystem,
  NOW,
  newDirectory,
  openAt,
  startStoreChild,
  systemError,
} from "../../support/json_files_fixtures.ts";
import { at } from "../../support/store_suite/records.ts";
import { accountWithKey, observed } from "../../support/store_suite.ts";

const ALICE = "alice" as AccountId;
const KEY = "key-alice" as KeyId;
const clock = () => NOW;

test("control: another process reads the owner's current status, or undefined if the owner has none", async () => {
  for (const status of [{ ready: true }, { ready: false }, undefined]) {
    const directory = await newDirectory();
    let now = {};
    const store = await openJsonFiles(directory, { clock, ...(status && { describe: () => now }) });
    const access = await connectToStore(directory);
    now = { ...status };
    assert.deepEqual(await access?.status(), status);
    await access?.close();
    await store.close();
  }
});

test("control: each call has the same result, whether the directory is free or in use", async () => {
  for (const held of [false, true]) {
    const directory = await newDirectory();
    const server = held ? await openAt(directory) : undefined;
    const access = await connectOrOpen(directory, { clock });

    await access.append([observed(1, 1), observed(2, 0.1 + 0.2, { provider: "بازار" })]);
    assert.deepEqual(await access.append([observed(2, 3)]), { accepted: 0, replaced: 1, unchanged: 0 });
    await access.update([accountWithKey(ALICE)]);
    const book = await access.update([{ op: "key.expire", id: KEY, at: new Date(NOW) }]);
    assert.equal(book.keys[0]?.expiresAt, NOW);
    assert.deepEqual(await access.book(), book);
    assert.match((await access.info()).version, /\.2$/);

    await assert.rejects(access.update([{ op: "key.expire", id: KEY, at: new Date(NaN) }]), RangeError);
    await assert.rejects(access.update([{ op: "key.revoke", id: "unknown0" as KeyId, at: NOW }]), RangeError);
    await assert.rejects(access.append([observed(3, -1)]), RangeError);

    await access.close();
    await server?.close();
    const read = await readJsonFiles(directory);
    const values = [...read.observations.records()].map(({ value }) => value);
    assert.deepEqual(values, [1, 3]);
    assert.deepEqual(read.book, book);
  }
});

const HEADERS: Readonly<Record<string, string>> = { "mazaneh-version": PROGRAM_VERSION, "mazaneh-caller": "%7B%7D" };

/** Sends a request to the owner of a store. Returns the status and the body. */
async function post(directory: string, path: string, body: string, headers = HEADERS): Promise<unknown[]> {
  const [socketName = ""] = await readdir(join(directory, "control"));
  const socketPath = join(directory, "control", socketName);
  const sent = request({ socketPath, path, method: "POST", headers }).end(body);
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  return [answer.statusCode, await json(answer)];
}

test("control: invalid requests get an error, and neither they nor broken connections harm the store", async (t) => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  t.after(() => store.close());
  const requests = [
    ["/append", '{"batch":[]}', "TypeError"],
    ["/__proto__", "[]", "TypeError"],
    ["/imports/__proto__", "[]", "TypeError"],
    ["/append", '[[{"code":1}]]', "RangeError"],
    ["/update", '[[{"op":"key.create"}]]', "TypeError"],
    ["/append", "nonsense", "SyntaxError"],
  ] as const;
  for (const [path, body, name] of requests) {
    const [status, error] = await post(directory, path, body);
    assert.deepEqual([status, (error as Error).name], [500, name], `${path} ${body}`);
  }
  await store.observations.append([observed(1, 1)]);
});

test("control: a program and a server of different versions refuse each other at once, and nothing is changed", async (t) => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  t.after(() => store.close());
  const report = /^This is version \d\S+, and the process at the other end is version 0\.0\.9: use the/;
  const [status, error] = await post(directory, "/append", "[[]]", { "mazaneh-version": "0.0.9" });
  const { exitCode, message } = error as StoreError;
  assert.deepEqual([status, exitCode, report.test(message)], [500, 78, true], message);
  const lock = (await readdir(directory)).find((name) => name.startsWith("lock."))!;
  const answer = "HTTP/1.1 200 OK\r\nmazaneh-version: 0.0.9\r\ncontent-length: 0\r\n\r\n";
  const server = createServer((socket) => socket.on("error", () => {}).on("data", () => socket.end(answer)));
  const changed = await copyOf(directory);
  await new Promise<void>((done) => server.listen(join(changed, "control", "other"), done));
  await edit(changed, lock, (text) => {
    return seal(text.slice(0, -SEAL_LENGTH - 1).replace(/control\/s\.[^"]+/, "control/other"), 0);
  });
  await assert.rejects(connectToStore(changed), { exitCode: 78, message: report });
  await new Promise((done) => server.close(done));
});

test("control: an error of the owner keeps its class, message, exit code and advice", async (t) => {
  const errors = [
    new StoreError("no", 71),
    new DataDamaged("imports/1.json", "is damaged", "Restore it"),
    new SchemaTooNew("obs", 2, 1),
    new Unavailable("later", 7),
    new RangeError("no"),
    new TypeError("no"),
    systemError("ENOSPC"),
  ];
  const thrown = [...errors];
  const directory = await newDirectory();
  const mirrorAgain = async () => Promise.reject(thrown.shift());
  const store = await openJsonFiles(directory, { clock, mirrorAgain });
  const access = (await connectToStore(directory))!;
  t.after(() => access.close().then(store.close));
  for (const error of errors) {
    const received = await access.mirrorAgain(ALICE as never, {} as never).catch((reason: unknown) => reason);
    assert.deepEqual(received, Object.assign(error, { name: error.name }));
  }
});

test("control: each call is carried out exactly once while processes close and open the store", async () => {
  const directory = await newDirectory();
  let holder = await openAt(directory);
  const access = await connectOrOpen(directory, { clock });
  let going = true;
  const handOver = (async () => {
    while (going) {
      await holder.close();
      // One of the callers may take over the store and keep it.
      const next = await openAt(directory).catch((error: unknown) => error);
      if (next instanceof DirectoryInUse) return;
      holder = next as typeof holder;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  })();
  const others = Array.from({ length: 3 }, () => connectOrOpen(directory, { clock }));
  for (let minute = 0; minute < 200; minute++)
    assert.deepEqual(await access.append([observed(minute, minute + 1)]), { accepted: 1, replaced: 0, unchanged: 0 });
  for (const other of await Promise.all(others)) await other.close();
  going = false;
  await handOver;
  await access.close();
  await holder.close();
  const { observations } = await readJsonFiles(directory);
  const values = [...observations.records()].map(({ value }) => value);
  assert.deepEqual(
    values,
    Array.from({ length: 200 }, (_, i) => i + 1),
  );
  assert.match(await observations.version(), /\.200$/);
});

test("control: while the owner opens the store, a connecting process waits; if opening fails, that process gets the reason", async () => {
  const directory = await newDirectory();
  await (await openAt(directory)).close();
  await appendFile(join(directory, FIRST_SEGMENT), "x".repeat(100));
  await writeFile(join(directory, "MANIFEST.json"), "{}");
  const tried = await Promise.allSettled(Array.from({ length: 8 }, () => connectOrOpen(directory, { clock })));
  const damaged = tried.map((result) => result.status === "rejected" && result.reason instanceof DataDamaged);
  assert.deepEqual(damaged, Array(8).fill(true));
});

test("control: running out of file descriptors is not mistaken for a missing owner", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory);
  const fs = faultyFileSystem((call) => {
    if (call === "list" || call === "open") throw systemError("EMFILE");
  });
  await assert.rejects(connectToStore(directory, fs), /EMFILE/);
  await assert.rejects(verifyStore(directory, fs), /EMFILE/);
  await store.close();
});

test("control: long calls are not cut off, and repeated errors of the listening socket do not end the process", async () => {
  const listens = mock.method(SocketServer.prototype, "listen"); // Still calls the original.
  const directory = await newDirectory();
  const store = await openAt(directory);
  const server = listens.mock.calls[0]!.this as Server;
  mock.restoreAll();
  const { timeout, headersTimeout, requestTimeout, keepAliveTimeout } = server;
  assert.deepEqual([timeout, headersTimeout, requestTimeout, keepAliveTimeout], [0, 0, 0, 0]);
  // Node emits `error` when it cannot accept a connection. An error without a listener would throw.
  for (let i = 0; i < 3; i++) server.emit("error", systemError("EMFILE"));
  const access = await connectOrOpen(directory, { clock });
  assert.equal((await access.info()).pid, process.pid);
  await access.close();
  await store.close();
});

test("control: if the owner is killed before it answers a call, the calling process carries out the call itself", async () => {
  const directory = await newDirectory();
  const child = startStoreChild(directory);
  await child.nextMessage();
  const access = await connectOrOpen(directory, { clock });
  assert.equal((await access.info()).pid, child.process.pid);
  child.process.kill("SIGSTOP");
  const appended = access.append([observed(1, 1)]);
  await child.end();
  assert.deepEqual(await appended, { accepted: 1, replaced: 0, unchanged: 0 });
  assert.equal((await access.info()).pid, process.pid);
  await access.close();
});

test("session: if the owner does not answer for 60 seconds, a call fails with exit code 69, and the error names the owner", async (t) => {
  const directory = await newDirectory();
  const child = startStoreChild(directory);
  await child.nextMessage();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const session = sessionWith(directory, { clock });
  await session.info();
  child.process.kill("SIGSTOP");
  const owner = `process ${child.process.pid} on host "${hostname()}"`;
  const refused = assert.rejects(session.update([]), {
    exitCode: 69,
    message: `"${directory}" is in use by ${owner}, which has neither answered nor ended for 60 seconds; the last request may or may not have been carried out`,
  });
  await new Promise(setImmediate);
  t.mock.timers.tick(60_000);
  await refused;
  await session.close();
  await child.end();
});

test("control: a command reads the same prices through the server, without access to the files, as from the files", async () => {
  const directory = await newDirectory();
  const store = await openAt(directory, { describe: () => ({}) });
  const minutes = Array.from({ length: 6_000 }, (_, n) => observed(n, 1_000 + n));
  for (let from = 0; from < minutes.length; from += 2_000)
    await store.observations.append(minutes.slice(from, from + 2_000));
  const pending = observed(0, 2_000, { code: "EUR_RLS" as AssetCode, qualityStatus: "PENDING" });
  for (const source of ["a", "b"]) await store.observations.append([pending], source);
  const byFiles = await everythingIn(await copyOf(directory));

  await rename(join(directory, "obs"), join(directory, "away"));
  assert.deepEqual(await everythingIn(directory), byFiles);
  assert.equal(byFiles.records.length, minutes.length + 2);
  await rename(join(directory, "away"), join(directory, "obs"));
  await store.close();
});

async function everythingIn(directory: string) {
  const reader = await jsonFilesEngine(directory, { clock }).read();
  const { storeId, observations } = await reader.market();
  const codes = ["EUR_RLS", "USD_RLS"] as AssetCode[];
  const records: Observation[] = [];
  for await (const one of observations.records({ first: codes, others: false })) records.push(one);
  const window = { from: 0 as UtcMillis, to: (2 * NOW) as UtcMillis };
  const { value } = await observations.candles(codes[1]!, window, DAY_MS);
  const found = {
    storeId,
    records,
    latest: await observations.latest(codes),
    coverage: await observations.coverage(codes),
    lastOfEach: await observations.lastOfEach(codes[1]!, [at(0), at(100), at(200)]),
    candles: { ...value, candles: [...value.candles] },
  };
  await reader.close();
  return found;
}
