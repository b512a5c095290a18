/**
 * `npx tsx bench/browser.ts [--runs N]`: measures the built app (npm run build) in headless Chromium: bytes until
 * the template cards respond, time from Start to the first fitness point, and tasks of the UI thread while training.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright";
import { launchBrowser } from "../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../tests/e2e/support/serve-app.ts";
import { machineNote } from "./harness/machine.ts";
import { reportSamples } from "./harness/record.ts";

const LONG_TASK_MS = 50;
const TRAINING_MS = 15_000;

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

async function measure(browser: Browser, url: string): Promise<number[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  const fetched = new Set<string>();
  context.on("request", (request) => {
    if (request.url().startsWith("http")) fetched.add(request.url());
  });
  await page.goto(url);
  const start = page.getByRole("button", { name: "Start", exact: true }).first();
  await start.waitFor();
  await page.waitForTimeout(200);
  const bytes = await bytesOf(fetched, url);
  const clicked = performance.now();
  await start.click();
  await page.getByRole("status").filter({ hasText: "Generation 1" }).first().waitFor();
  const first = (performance.now() - clicked) / 1000;
  const tasks = await mainThreadTasks(browser, page);
  const short = tasks.filter((ms) => ms < LONG_TASK_MS).length;
  await context.close();
  return [bytes / 1024, first, (100 * short) / tasks.length, tasks.length, Math.max(...tasks)];
}

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "7" } } });
const app = await serveApp();
console.log(machineNote());
const samples: number[][] = [];
for (let run = 0; run < Number(options.runs); run++) {
  const browser = await launchBrowser();
  samples.push(await measure(browser, app.url));
  await browser.close();
}
await app.close();
const figures = [
  {
    name: "gzip bytes until the template cards respond",
    unit: "KB",
    target: { at_most: 350 },
    digits: 1,
  },
  {
    name: "first fitness point after Start on the first template",
    unit: "s",
    target: { at_most: 2 },
    digits: 2,
  },
  {
    name: `tasks of the UI thread under ${LONG_TASK_MS} ms while training`,
    unit: "%",
    target: { at_least: 99 },
    digits: 2,
  },
  { name: "tasks in all", unit: "", digits: 0 },
  { name: "longest task", unit: "ms", digits: 0 },
] as const;
reportSamples({
  row: "workbench-first-run",
  title: "first run",
  command: "npx tsx bench/browser.ts",
  figures,
  samples,
});
console.log(machineNote());
