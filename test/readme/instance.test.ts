// The programs on the page of PostgreSQL: compiled strictly, then run as they stand there against real servers.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { LOADER } from "../support/cli.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { pageText } from "./pages.ts";

const folder = mkdtempSync(join(tmpdir(), "mazaneh-instance-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const postgres = await startPostgres();
const redis = await startRedis();
if (!postgres || !redis) skipAloud("the programs of several instances", postgresMissing ?? redisMissing!);

/** Writes a program of the page, where its package is these sources and its port any free one, which it prints. */
function write(name: string): string {
  const [, program] = new RegExp("```ts\\n(// " + name + "\\.ts.*?)```", "s").exec(pageText("adapters/postgres/README.md")) ?? [];
  assert.ok(program, `the page has the program ${name}.ts`);
  const doors = (JSON.parse(readFileSync("package.json", "utf8")) as { exports: Record<string, { default: string }> }).exports;
  const path = join(folder, `${name}.ts`);
  writeFileSync(
    path,
    program
      .replace(/from "mazaneh(\/[^"]*)?"/g, (_, door: string = "") => `from ${JSON.stringify(resolve(doors[`.${door}`]!.default.replace("./dist/", "").replace(/\.js$/, ".ts")))}`)
      .replace(/(await server\.listen\(.*)8084(.*\));/, "console.log((($10$2)).port);"),
  );
  return path;
}

if (postgres && redis) {
  test("postgres page: the set-up and the program of an instance compile strictly, serve, and end by themselves after SIGTERM", { timeout: 120_000 }, async () => {
    symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "package.json"), '{"type":"module"}');
    const [setup, instance] = [write("setup"), write("instance")];
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ extends: resolve("tsconfig.json"), compilerOptions: { noEmit: true }, files: [setup, instance], include: [] }));
    execFileSync(process.execPath, [resolve("node_modules/typescript/bin/tsc"), "-p", folder], { stdio: "inherit" });

    const env = { ...process.env, DATABASE_URL: await postgres.database(), REDIS_URL: redis.url };
    execFileSync(process.execPath, [...LOADER, setup], { cwd: folder, env, stdio: "inherit" });
    const child = spawn(process.execPath, [...LOADER, instance], { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
    after(() => child.kill("SIGKILL"));
    const exited = once(child, "exit");
    const [port] = (await Promise.race([once(child.stdout.setEncoding("utf8"), "data"), exited.then(() => ["0"])])) as [string];
    const status = (await (await fetch(`http://127.0.0.1:${Number(port)}/api/v1/status`)).json()) as { status: string };
    assert.notEqual(status.status, "UNAVAILABLE");
    child.kill("SIGTERM");
    assert.deepEqual(await exited, [0, null]);
  });
}
