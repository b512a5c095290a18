/**
 * `npx tsx bench/browser.ts [--runs N]`: measures the built app (npm run build) in headless Chromium: bytes at
 * the first paint, time from the first page's button to the first dot and the first fitness point of its run (PPO on
 * CartPole), pressed early and late, and tasks of the UI thread while training.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page } from "playwright";
import { launchBrowser } from "../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../tests/e2e/support/serve-app.ts";
import { machineNote } from "./harness/machine.ts";
import { reportSamples } from "./harness/record.ts";

const LONG_TASK_MS = 50;
const TRAINING_MS = 15_000;
/** Seconds on the page before the button is pressed: while the page still loads, and after it has rehearsed its runs. */
const LOOKED = { early: 3, late: 15 } as const;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string; readonly data?: unknown };
}

/** Gzipped bytes of everything that the page and its workers fetched. */
async function bytesOf(urls: ReadonlySet<string>, base: string): Promise<number> {
  let bytes = 0;
  for (const url of urls) {
    const name = new URL(url).pathname.slice(new URL(base).pathname.length) || "index.html";
    bytes += gzipSync(await readFile(path.join("dist/app", name)), { level: 9 }).byteLength;
  }
  return bytes;
}

/** Durations in milliseconds of the tasks that the page's main thread ran. */
async function mainThreadTasks(browser: Browser, page: Page): Promise<number[]> {
  await browser.startTracing(page, {
    categories: ["toplevel", "disabled-by-default-devtools.timeline", "__metadata"],
  });
  await page.waitForTimeout(TRAINING_MS);
  const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString());
  const mains = new Set(
    trace.traceEvents
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid}:${tid}`),
  );
  return trace.traceEvents
    .filter(({ name, ph, pid, tid }) => ph === "X" && name.endsWith("RunTask") && mains.has(`${pid}:${tid}`))
    .map(({ dur = 0 }) => dur / 1000);
}

/** Gzipped bytes of the page's own files that had arrived at its first paint. */
const FIRST_LOAD = `(() => {
  const { startTime } = performance.getEntriesByName("first-contentful-paint")[0];
  const arrived = performance.getEntriesByType("resource").filter(({ responseEnd }) => responseEnd <= startTime);
  return [location.href, ...arrived.map(({ name }) => name)];
})()`;

/** Opens the page, and presses the button. Returns the page, and the seconds to the first dot and the first fitness. */
async function startRun(context: BrowserContext, url: string, looked: number) {
  const page = await context.newPage();
  await page.goto(url);
  const start = page.getByRole("button", { name: "Watch 8 agents learn" });
  await start.waitFor();
  await page.waitForTimeout(looked * 1000);
  const clicked = performance.now();
  const seconds = (): number => (performance.now() - clicked) / 1000;
  await start.click();
  await page.getByRole("region", { name: "Fitness" }).getByText("episodes of training").first().waitFor();
  const dot = seconds();
  await page.getByRole("status").filter({ hasText: "Generation 1" }).first().waitFor();
  return { page, dot, first: seconds() };
}

async function measureLate(browser: Browser, url: string): Promise<number[]> {
  const context = await browser.newContext();
  const { dot, first } = await startRun(context, url, LOOKED.late);
  await context.close();
  return [dot, first];
}

async function measure(browser: Browser, url: string): Promise<number[]> {
  const context = await browser.newContext();
  const { page, dot, first } = await startRun(context, url, LOOKED.early);
  const urls = await page.evaluate<string[]>(FIRST_LOAD);
  const bytes = await bytesOf(new Set(urls.map((one) => one.replace(/#.*/, ""))), url);
  const tasks = await mainThreadTasks(browser, page);
  const short = tasks.filter((ms) => ms < LONG_TASK_MS).length;
  await context.close();
  return [bytes / 1024, dot, first, (100 * short) / tasks.length, tasks.length, Math.max(...tasks)];
}

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "7" } } });
const app = await serveApp();
console.log(machineNote());
const samples: number[][] = [];
for (let run = 0; run < Number(options.runs); run++) {
  const browser = await launchBrowser();
  const early = await measure(browser, app.url);
  await browser.close();
  const again = await launchBrowser();
  samples.push([...early, ...(await measureLate(again, app.url))]);
  await again.close();
}
await app.close();
const figures = [
  { name: "gzip bytes at the first paint", unit: "KB", target: { at_most: 170 }, digits: 1 },
  {
    name: "from the button to the first dot",
    unit: "s",
    target: { at_most: 1 },
    digits: 2,
  },
  { name: "to the first fitness", unit: "s", target: { at_most: 2 }, digits: 2 },
  {
    name: `UI tasks under ${LONG_TASK_MS} ms`,
    unit: "%",
    target: { at_least: 99 },
    digits: 2,
  },
  { name: "tasks in all", unit: "", digits: 0 },
  { name: "longest task", unit: "ms", digits: 0 },
  {
    name: `to the first dot, after ${LOOKED.late} s on the page`,
    unit: "s",
    target: { at_most: 1 },
    digits: 2,
  },
  { name: "then to the first fitness", unit: "s", target: { at_most: 2 }, digits: 2 },
] as const;
reportSamples({
  row: "workbench-first-run",
  title: "first run",
  command: `npx tsx bench/browser.ts --runs ${options.runs}`,
  figures,
  samples,
});
console.log(machineNote());
