/**
 * `npx tsx bench/wall.ts [--runs N] [--bodies]`: measures the wall of the built app (npm run build) in headless
 * Chromium: the time from Start until it moves, its frame rate with 16 members, or 64 bodies, the page's longest task, and how
 * much it slows training. A run takes more than a minute; progress is printed to stderr. Ends with an error if the page
 * reports one.
 */
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright";
import { builtInTemplate } from "../src/manifests/templates.ts";
import { sharedManifest } from "../src/ui/pages/editor/sharedManifest.ts";
import { launchBrowser } from "../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../tests/e2e/support/serve-app.ts";
import { watchPage } from "../tests/e2e/support/watch-page.ts";
import { machineNote } from "./harness/machine.ts";
import { reportSamples } from "./harness/record.ts";

const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "3" }, bodies: { type: "boolean", default: false } },
});
/** What trains, and what is required of its wall. */
const { template, members, least, most } = options.bodies
  ? ({ template: "ppo-halfcheetah", members: 64, least: 30, most: 3 } as const)
  : ({ template: "ppo-cartpole", members: 16, least: 55, most: 10 } as const);
/** Duration of one stretch of training with or without the wall. */
const STRETCH_MS = options.bodies ? 12_000 : 6_000;
/** Number of stretches of each kind, which alternate. */
const STRETCHES = 4;

/** Steps of a generation: it outlasts the measurement, for no steps are counted while agents are evaluated. */
const GENERATION_STEPS = 4_000_000;

/** An endless run of the template. */
function manifest(): string {
  const whole = builtInTemplate(template).manifest;
  const { training } = whole;
  const endless = {
    ...training,
    pop_size: members,
    max_steps: 500_000_000,
    target_score: null,
    evo_steps: Math.ceil(GENERATION_STEPS / members),
  };
  return JSON.stringify({ ...whole, training: endless });
}

/** Milliseconds of the longest task of 50 ms or more, in 5 s. */
const LONGEST = `new Promise((resolve) => {
  let longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: "longtask" });
  setTimeout(() => resolve(longest), 5000);
})`;

/** Frames per second over 5 s. Passed as text, since compiler helper names are undefined in the page. */
const FRAMES = `new Promise((resolve) => {
  const start = performance.now();
  let frames = 0;
  requestAnimationFrame(function count() {
    frames += 1;
    const passed = performance.now() - start;
    if (passed < 5000) requestAnimationFrame(count);
    else resolve((1000 * frames) / passed);
  });
})`;

/** Steps of the population so far, as the page shows. */
async function steps(page: Page): Promise<number> {
  const text = await page.locator(".strip__progress").innerText();
  return Number(/([\d,]+) of/.exec(text)?.[1]?.replaceAll(",", ""));
}

async function stepsPerSecond(page: Page): Promise<number> {
  const [before, start] = [await steps(page), performance.now()];
  await page.waitForTimeout(STRETCH_MS);
  return (1000 * ((await steps(page)) - before)) / (performance.now() - start);
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Prints progress to stderr. */
const note = (text: string): void => console.error(`${new Date().toLocaleTimeString("en-GB")}  ${text}`);

async function measure(page: Page, url: string): Promise<number[]> {
  note("opens the editor");
  await page.goto(`${url}#/new?spec=${sharedManifest(manifest())}`);
  const start = page.getByRole("button", { name: /^Start/ }).first();
  await start.waitFor();
  await page.waitForTimeout(2000);
  note("starts training");
  const clicked = performance.now();
  await start.click();
  await page.locator(".wall__stage[data-moving=true]").waitFor();
  const moving = (performance.now() - clicked) / 1000;
  note(`the wall moves after ${moving.toFixed(2)} s; counts frames for 5 s`);
  await page.waitForTimeout(2000);
  const stage = page.workers().find((worker) => worker.url().includes("stage.worker"));
  if (!stage) throw new Error("there is no stage");
  const [frames, drawn, longest] = await Promise.all([
    page.evaluate<number>(FRAMES),
    stage.evaluate<number>(FRAMES),
    page.evaluate<number>(LONGEST),
  ]);
  const rates: { with: number[]; without: number[] } = { with: [], without: [] };
  for (let i = 0; i < STRETCHES; i++) {
    note(`counts steps with the wall and without it, ${i + 1} of ${STRETCHES}`);
    rates.with.push(await stepsPerSecond(page));
    // While hidden, the wall reads nothing and plays nothing.
    await page.locator(".wall").evaluate((wall: HTMLElement) => wall.style.setProperty("display", "none"));
    rates.without.push(await stepsPerSecond(page));
    await page.locator(".wall").evaluate((wall: HTMLElement) => wall.style.removeProperty("display"));
  }
  const cost = 100 * (1 - median(rates.with) / median(rates.without));
  return [moving, frames, drawn, longest, median(rates.with), median(rates.without), cost];
}

/**
 * Measures one run in a new page.
 * @throws Error if the page reports an error, as the awaited state may never come.
 */
async function measured(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const complained = new Promise<never>((_, reject) => {
    watchPage(page, (complaint) => reject(new Error(`the page complains: ${complaint}`)));
  });
  return Promise.race([measure(page, url), complained]);
}

const app = await serveApp();
console.log(machineNote());
const samples: number[][] = [];
for (let run = 0; run < Number(options.runs); run++) {
  note(`run ${run + 1} of ${options.runs}`);
  const browser = await launchBrowser();
  samples.push(await measured(browser, app.url));
  await browser.close();
}
await app.close();
const figures = [
  { name: `moving after Start, ${members} members`, unit: "s", target: { at_most: 1.5 }, digits: 2 },
  { name: "frames of the page", unit: "/s", target: { at_least: least }, digits: 1 },
  { name: "frames of the wall", unit: "/s", target: { at_least: least }, digits: 1 },
  { name: "longest task of the page", unit: "ms", target: { at_most: 50 }, digits: 0 },
  { name: "training with the wall", unit: "steps/s", digits: 0 },
  { name: "training without it", unit: "steps/s", digits: 0 },
  { name: "cost for training", unit: "%", target: { at_most: most }, digits: 1 },
] as const;
reportSamples({
  row: options.bodies ? "workbench-wall-bodies" : "workbench-wall",
  title: options.bodies ? "wall of 64 bodies" : "wall",
  command: `npx tsx bench/wall.ts --runs ${options.runs}${options.bodies ? " --bodies" : ""}`,
  figures,
  samples,
});
console.log(machineNote());
