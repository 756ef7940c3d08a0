// Starts Chromium. Its pages report errors, warnings and failed requests.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import type { TestContext } from "node:test";
import axe from "axe-core";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import type { Site } from "./sites.ts";

/** Chromium without a user interface, which is twice as fast. */
const CHROMIUM = "/usr/bin/chromium-headless-shell";
const FLAGS =
  "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync" +
  " --disable-features=SpareRendererForSitePerProcess"; // disables a spare process that is never used
/** The timeout of each action and wait, long enough for a slow and busy machine. */
const PATIENCE_MS = 60_000;

/** The reason why the tests cannot run here, or `false`. */
export const skip =
  !existsSync(CHROMIUM) && `there is no ${CHROMIUM} (packages chromium-headless-shell, fonts-noto-core)`;

/** Widths and heights of a phone, a tablet and a desktop. */
export const PHONE = { width: 390, height: 844 };
export const TABLET = { width: 820, height: 1180 };
export const DESKTOP = { width: 1280, height: 720 };
/** A width at which three panes fit side by side. */
export const WIDE = { width: 2560, height: 1440 };

/** How a visitor comes. */
export interface Visiting {
  readonly site: Site;
  /** Default: the desktop. */
  readonly viewport?: typeof PHONE;
  readonly colorScheme?: "light" | "dark";
  /** The browser's preferred language. Default: English. */
  readonly locale?: "en-US" | "fa-IR";
  /** The error statuses that the test provokes; others fail the test. `offline` allows failed requests. */
  readonly provokes?: readonly (number | "offline")[];
  /** Default: true. */
  readonly hasScript?: boolean;
  /** Where the visit begins: the part of the address after `/docs`. Default: nothing. */
  readonly at?: string;
  /** Prepares the page before it is loaded, e.g. its clock. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/** An open page and its requests. */
export interface Visit {
  readonly page: Page;
  readonly site: Site;
  /** Addresses of all requests so far. */
  readonly requests: readonly string[];
}

/** Runs a test in its own page. */
export type RunVisit = (name: string, visiting: Visiting, body: (visit: Visit) => Promise<void>) => Promise<void>;

/** Starts the browser with its own profile, and closes it at the end of the test. */
export async function startChromium(t: TestContext): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS.split(" ") });
  t.after(() => browser.close());
  return browser;
}

/**
 * Runs each test in its own browser context. A test fails on a console error or warning, a request to another host, a
 * violation of the content security policy, or a failed request that is not in `provokes`.
 */
export function visits(t: TestContext, browser: Browser): RunVisit {
  return (name, visiting, body) =>
    t.test(name, async () => {
      const { site, viewport = DESKTOP, colorScheme = "light", locale = "en-US", at = "", hasScript = true } = visiting;
      const { provokes = [], before } = visiting;
      const context = await browser.newContext({
        viewport,
        colorScheme,
        locale,
        javaScriptEnabled: hasScript,
        timezoneId: "Asia/Tehran",
        permissions: ["clipboard-read", "clipboard-write"],
      });
      context.setDefaultTimeout(PATIENCE_MS);
      const problems: string[] = [];
      const requests: string[] = [];
      // An init script, because the page's policy forbids a script element.
      await context.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
          console.error(`stopped by ${violatedDirective}: ${blockedURI}`),
        );
        const [drawn, { fillText }] = [new Set<string>(), CanvasRenderingContext2D.prototype];
        CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
          drawn.add(text);
          fillText.call(this, text, ...place);
        };
        Object.assign(window, { drawn });
      });
      const page = await context.newPage();
      page.on("console", (message) => {
        const isRefused = message.text().startsWith("Failed to load resource"); // reported below
        if (/^(?:error|warning)$/.test(message.type()) && !isRefused)
          problems.push(`${message.type()}: ${message.text()}`);
      });
      page.on("pageerror", (error) => problems.push(`thrown: ${error.message}`));
      page.on("request", (request) => {
        requests.push(request.url());
        if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== new URL(site.url).origin)
          problems.push(`a request to ${request.url()}`);
      });
      page.on("response", (response) => {
        if (response.status() >= 400 && !provokes.includes(response.status()))
          problems.push(`${response.status()}: ${response.url()}`);
      });
      page.on("requestfailed", (request) => {
        if (request.failure()?.errorText !== "net::ERR_ABORTED" && !provokes.includes("offline"))
          problems.push(`failed: ${request.url()}`);
      });
      try {
        await before?.(page);
        await page.goto(`${site.url}/docs${at}`);
        await body({ page, site, requests });
        assert.deepEqual(problems, []);
      } finally {
        await context.close();
      }
    });
}

/** Waits until a text is drawn on a canvas. */
export async function drawnText(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => (window as unknown as { readonly drawn: Set<string> }).drawn.has(wanted),
    text,
  );
}

/** The problems that axe-core finds in a part of the page. */
export async function accessFaults(page: Page, part: string): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source); // the policy blocks script elements
  return page.evaluate(async (context) => {
    const { axe } = window as unknown as { axe: typeof import("axe-core") };
    const { violations } = await axe.run(context, { resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary}`),
    );
  }, part);
}

/** The number of pixels by which the page is wider than the screen, and the elements that are too wide. */
export function tooWide(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.scrollingElement!;
    if (scrollWidth <= clientWidth) return [];
    const outside = [...document.querySelectorAll("body *")].filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return right > clientWidth + 0.5 || left < -0.5;
    });
    return [
      `${scrollWidth - clientWidth} px`,
      ...outside.slice(0, 8).map(({ tagName, id, className }) => `${tagName}#${id}.${String(className)}`),
    ];
  });
}

/** Resolves when the clipboard is free. Tests run in parallel, and all pages share one clipboard. */
let clipboardFree: Promise<unknown> = Promise.resolve();

/** Returns the text that a button copies to the clipboard. */
export function clipboardAfter(page: Page, button: Locator): Promise<string> {
  const copied = clipboardFree.then(async () => {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await button.click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
    return page.evaluate(() => navigator.clipboard.readText());
  });
  clipboardFree = copied.catch(() => undefined);
  return copied;
}
