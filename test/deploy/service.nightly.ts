// The page fixtures/deploy/README.md, word by word, in a container in which systemd is process 1.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { until } from "../support/wait_until.ts";
import { buildCopy } from "./copy.ts";
import { hasCommand, startMachine } from "./machine.ts";
import { commandsOf, PAGE, type Replacement, replaceLines } from "./page.ts";

/** The container has no network, and the copy is built already. */
const REPLACED: readonly Replacement[] = [
  [/^apt-get /, "for program in curl git nginx openssl; do command -v $program; done"],
  [/^cd .* curl .*nodejs\.org/, "cd /usr/local/src"],
  [/^curl .*SHASUMS256/, ""],
  // The Node of this machine: the program is looked for in /usr/local/bin, wherever that one lies.
  [/^tar /, `test -e /usr/local/bin/node || ln -s ${process.execPath} /usr/local/bin/node`],
  [/^git clone /, "cp -r /run/host/clone mazaneh && cd mazaneh"],
  [/^npm ci /, "ls dist/adapters/cli/main.js"],
  // Without the program on this machine, its part of the page is not tried.
  ...(hasCommand("prometheus") ? [] : [[/prometheus/, "curl -sS --fail http://127.0.0.1:9464/metrics"] as const]),
];
/** A client on the machine itself, on which the name of the page leads to nginx. */
const ASK =
  "curl -s -w '\\n%{http_code}\\n' --cacert /etc/mazaneh/tls/fullchain.pem --resolve api.example.org:443:127.0.0.1 --resolve api.example.org:80:127.0.0.1";

test("deploy: the ten commands lead to a service under systemd, behind nginx with TLS, with a backup that was restored", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "mazaneh-clone-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const found = await startMachine(t, [{ from: folder, to: "/run/host/clone" }]);
  if (typeof found === "string") return t.skip(found);
  buildCopy(folder);
  const machine = found;

  const printed: string[] = [];
  await ran("systemctl start nginx"); // As Debian does after the installation.
  const commands = commandsOf(PAGE, "Installation in ten steps");
  assert.equal(commands.length, 10);
  for (const command of commands) printed.push(await ran(replaceLines(command, REPLACED)));
  const [key] = /mz_live_\w+/.exec(printed.join("\n")) ?? [];
  assert.ok(key, printed.join("\n"));
  const asset = "/api/v1/assets/USD_RLS";
  const asked = `${ASK} -H 'X-API-Key: ${key}' https://api.example.org${asset}`;

  await t.test("a key and a price of the page are good for an answer over TLS and HTTP/2", async () => {
    assert.match(await ran(`${asked} --http2 -i`), /^HTTP\/2 200[\s\S]*"code":"USD_RLS"[\s\S]*"value":1905000/);
  });
  await t.test(
    "Prometheus has scraped the server, and nobody reaches either from outside",
    { skip: !hasCommand("prometheus") && "there is no prometheus" },
    async () => {
      await prints(
        "curl -s 'http://127.0.0.1:9090/api/v1/query?query=mazaneh_ready'",
        /"job":"mazaneh"\},"value":\[[\d.]+,"1"\]/,
      );
      assert.doesNotMatch(
        await ran("ss -Hltn 'sport = :9090 or sport = :9464 or sport = :8080'"),
        /(0\.0\.0\.0|\*|\[::\]):(9090|9464|8080)/,
      );
    },
  );
  await t.test("the server is ready, by its command and on the admin port", async () => {
    assert.match(printed[8]!, /"ready":true/);
    await prints("mazaneh status --json --data /var/lib/mazaneh", /"ready":true/);
  });
  await t.test("links lead through nginx, as the server believes it about name and scheme", () => {
    assert.ok(printed[7]!.includes('"documentationUrl":"https://api.example.org/docs"'), printed[7]);
  });
  await t.test("a name that is not ours gets no certificate", async () => {
    const { code } = await machine.run(
      "curl -sk --resolve other.example.org:443:127.0.0.1 https://other.example.org/docs",
    );
    assert.equal(code, 35);
  });
  await t.test(
    "the process has no privileges, a filter of system calls, and data that nobody else may read",
    async () => {
      const status = await ran("cat /proc/$(systemctl show -P MainPID mazaneh)/status");
      for (const line of ["NoNewPrivs:\t1", "Seccomp:\t2", "CapEff:\t0000000000000000", "CapBnd:\t0000000000000000"])
        assert.ok(status.includes(line), line);
      assert.equal(
        await ran("stat -c '%U %a' /var/lib/mazaneh /var/lib/mazaneh-backups"),
        "mazaneh 700\nmazaneh 700\n",
      );
      const [uid] = /(?<=^Uid:\t)\d+/m.exec(status) ?? [];
      assert.equal(await ran("id -u mazaneh"), `${uid}\n`);
    },
  );
  await t.test("while the server is stopped, nginx answers 503 with Retry-After; the stop ends with 0", async () => {
    await ran("systemctl stop mazaneh");
    assert.match(
      await ran("systemctl show mazaneh -p Result -p ExecMainStatus"),
      /Result=success[\s\S]*ExecMainStatus=0|ExecMainStatus=0[\s\S]*Result=success/,
    );
    assert.match(
      await ran(`${ASK} -i https://api.example.org${asset}`),
      /retry-after: 5[\s\S]*"code":"UNAVAILABLE"[\s\S]*503$/m,
    );
    await ran("systemctl start mazaneh-backup.service"); // Opens the data itself.
    await ran("systemctl start mazaneh");
    await prints(asked, /^200$/m);
  });
  await t.test("after kill -9 the service starts again by itself", async () => {
    await ran("systemctl kill --signal=SIGKILL mazaneh");
    await prints("systemctl show -P NRestarts mazaneh", /^1$/m);
    await prints(asked, /^200$/m);
  });
  await t.test("the page leads back to a backup: the price that came after it is gone", async () => {
    const [newest] = (await ran("ls -r /var/lib/mazaneh-backups")).split("\n");
    const later =
      "printf 'code,value,businessTime\\nUSD_RLS,2000000,2026-11-21T16:30:00Z\\n' | runuser -u mazaneh -- mazaneh import - --data /var/lib/mazaneh";
    await ran(later);
    await prints(asked, /2000000/);
    const [block] = commandsOf(PAGE, "Backups");
    assert.equal(block?.includes("2026-11-21T02-30-00Z"), true);
    await ran(block!.replace("2026-11-21T02-30-00Z", newest!));
    await prints(asked, /1905000[\s\S]*^200$/m);
    assert.match(await ran("runuser -u mazaneh -- mazaneh export --data /var/lib/mazaneh"), /1905000/);
    assert.doesNotMatch(await ran("runuser -u mazaneh -- mazaneh export --data /var/lib/mazaneh"), /2000000/);
  });
  await t.test("with a wrong setting the service ends with 78 and does not start again", async () => {
    await ran("echo MAZANEH_PORT=many >/etc/default/mazaneh && systemctl restart mazaneh");
    await prints("systemctl is-failed mazaneh", /^failed$/m);
    await wait(6_000); // Longer than RestartSec.
    assert.match(
      await ran("systemctl show mazaneh -p ExecMainStatus -p NRestarts"),
      /(?=[\s\S]*ExecMainStatus=78)(?=[\s\S]*NRestarts=0)/,
    );
    assert.match(await ran("journalctl -u mazaneh --no-pager -n 20"), /MAZANEH_PORT/);
  });

  /** Runs a block where the one before ended, as somebody types it. */
  async function ran(block: string): Promise<string> {
    // The machine may have another prefix; and it has no network.
    const environment = { npm_config_prefix: "/opt/elsewhere", npm_config_offline: "true" };
    const { code, text } = await machine.run(
      `set -e; cd "$(cat /run/here 2>/dev/null || pwd)"\n${block}\npwd >/run/here`,
      environment,
    );
    assert.equal(code, 0, `${block}\n${text}`);
    return text;
  }

  /** Runs a line until it prints what is wanted. */
  async function prints(line: string, wanted: RegExp): Promise<void> {
    await until(`${line} prints ${wanted}`, async () => wanted.test((await machine.run(line)).text));
  }
});
