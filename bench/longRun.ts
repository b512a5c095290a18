/**
 * `npx tsx bench/longRun.ts [--runs N]`: measures how fast the built app (npm run build) opens a stored run
 * of 1,000 generations with 16 members, and how smoothly its lineage tree drags, by lanes and by fitness.
 * `--members 64`: with another number of members.
 */
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright";
import { builtInTemplate } from "../src/manifests/templates.ts";
import { memoryFileStore, memoryRunIndex, memoryRunLocks, RunStore } from "../src/storage/index.ts";
import { parseInput, storeRun } from "../src/workers/computing.ts";
import { launchBrowser } from "../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../tests/e2e/support/serve-app.ts";
import { FakeCoordinator } from "../tests/ui/inside/support/fakeCoordinator.ts";
import { machineNote } from "./harness/machine.ts";
import { reportSamples } from "./harness/record.ts";

const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "5" }, members: { type: "string", default: "16" } },
});
const MEMBERS = Number(options.members);
const GENERATIONS = 1000;
const NAME = "Long run";
/** Pointer moves per drag of the tree. */
const MOVES = 120;

/** Such a run as an archive, with synthetic numbers and realistic sizes. */
async function archive(): Promise<Buffer> {
  const template = builtInTemplate("ppo-cartpole").manifest;
  const { training } = template;
  const manifest = await parseInput({ ...template, training: { ...training, pop_size: MEMBERS } }, null);
  const fake = new FakeCoordinator().add({ training: { pop_size: MEMBERS } });
  for (let i = 0; i < GENERATIONS; i++) fake.generation();
  const store = new RunStore({
    files: memoryFileStore(),
    index: memoryRunIndex(),
    locks: memoryRunLocks(),
  });
  const { id } = await store.createRun({ name: NAME, manifest: storeRun(manifest, 1, "wasm") });
  await store.appendLog(
    id,
    fake.generations.map((report) => ({ type: "generation", report })),
  );
  await store.updateRun(id, { state: "stopped", generation: GENERATIONS });
  return Buffer.from(await store.exportRun(id));
}

/** Milliseconds between frames from the first to the last move of a drag. */
async function drag(page: Page): Promise<number[]> {
  const box = await page
    .getByRole("region", { name: "Lineage", exact: true })
    .locator("canvas")
    .first()
    .boundingBox();
  if (!box) throw new Error("the family tree has no canvas");
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  // Passed as text, since helper names that the compiler inserts are undefined in the page.
  await page.evaluate(`globalThis.pictures = []; (function next(now) {
    globalThis.pictures.push(now);
    globalThis.watching = requestAnimationFrame(next);
  })(performance.now())`);
  for (let i = 0; i < MOVES; i++) await page.mouse.move(x - 300 * Math.sin(i / 10), y + (i % 7));
  const times = await page.evaluate<number[]>(
    "cancelAnimationFrame(globalThis.watching), globalThis.pictures",
  );
  await page.mouse.up();
  return times.slice(1).map((time, i) => time - (times[i] ?? time));
}

const quantile = (values: readonly number[], q: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(q * (values.length - 1))] ?? Number.NaN;

async function measure(browser: Browser, url: string, zip: Buffer): Promise<number[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${url}#/storage`);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Import run" }).click(),
  ]);
  await chooser.setFiles({ name: "long.rlkit.zip", mimeType: "application/zip", buffer: zip });
  const chart = page.getByRole("region", { name: "Fitness", exact: true }).locator("canvas").first();
  // The page navigates to the imported run.
  await chart.waitFor();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Runs" }).click();
  const link = page.getByRole("link", { name: NAME, exact: true }).first();
  await link.waitFor();
  // Drops everything that the import left in memory.
  await page.reload();
  await link.waitFor();
  await page.waitForTimeout(3000);
  let clicked = performance.now();
  await link.click();
  await chart.waitFor();
  const opened = performance.now() - clicked;
  clicked = performance.now();
  await page
    .getByRole("navigation", { name: "Views of this run" })
    .getByRole("link", { name: "Lineage" })
    .click();
  await page.getByRole("region", { name: "Lineage", exact: true }).locator("canvas").first().waitFor();
  const drawn = performance.now() - clicked;
  const pictures = await drag(page);
  await page.getByRole("group", { name: "Vertical axis" }).getByRole("button", { name: "Fitness" }).click();
  await page.waitForTimeout(1000);
  const byFitness = await drag(page);
  await context.close();
  return [opened / 1000, drawn / 1000, quantile(pictures, 0.95), quantile(byFitness, 0.95)];
}

const zip = await archive();
const app = await serveApp();
console.log(machineNote());
const samples: number[][] = [];
for (let run = 0; run < Number(options.runs); run++) {
  const browser = await launchBrowser();
  samples.push(await measure(browser, app.url, zip));
  await browser.close();
}
await app.close();
const figures = [
  {
    name: `from the list to its fitness chart`,
    unit: "s",
    target: { at_most: 1 },
    digits: 2,
  },
  { name: "its family tree from the tab to the picture", unit: "s", digits: 2 },
  { name: "between two pictures while the tree is dragged, 95th percentile", unit: "ms", digits: 1 },
  { name: "the same with the tree by fitness", unit: "ms", digits: 1 },
] as const;
reportSamples({
  row: "workbench-long-run",
  title: "opening a run of 1,000 x 16",
  command: "npx tsx bench/longRun.ts",
  figures,
  samples,
});
console.log(machineNote());
