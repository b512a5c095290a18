/**
 * `npx tsx bench/largeData.ts [--megabytes N]`: drops a large flat file on the built app (npm run build) in
 * headless Chromium, inspects it and learns from it. Measures the added memory of all browser processes, and
 * the tasks of the page's thread. Linux only.
 */
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright";
import { sharedManifest } from "../src/ui/pages/editor/sharedManifest.ts";
import { dropPath } from "../tests/e2e/support/drop-path.ts";
import { launchWithProfile } from "../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../tests/e2e/support/serve-app.ts";
import { withTemporaryDirectory } from "../tests/storage/support/temporaryDirectory.ts";
import { machineNote } from "./harness/machine.ts";
import { MemoryWatch } from "./largeData/MemoryWatch.ts";
import { threadTasks } from "./largeData/threadTasks.ts";
import { writeFlatFile } from "./largeData/writeFlatFile.ts";

const NAME = "large";
const LONG_TASK_MS = 50;

const { values: options } = parseArgs({ options: { megabytes: { type: "string", default: "500" } } });
const bytes = 1e6 * Number(options.megabytes);

const manifest = JSON.stringify({
  algorithm: { name: "CQN", batch_size: 128 },
  environment: { env_type: "offline", name: "CartPole-v1", dataset_path: `datasets/${NAME}` },
  training: { pop_size: 4, max_steps: 20_000, evo_steps: 2_000, target_score: null },
});

/** Performs an action, and prints its cost. */
async function measured(browser: Browser, page: Page, what: string, act: () => Promise<void>): Promise<void> {
  const memory = new MemoryWatch();
  const tasks = await threadTasks(browser, page, act);
  const { before, peak } = memory.end();
  const longest = tasks.toSorted((a, b) => b.processor - a.processor)[0];
  const long = tasks.filter(({ processor }) => processor > LONG_TASK_MS).length;
  console.log(
    `${what}: ${((peak - before) / bytes).toFixed(2)} times the file above ${(before / 1e6).toFixed(0)} MB; ` +
      `${tasks.length} tasks of the page, ${long} above ${LONG_TASK_MS} ms of processor time, ` +
      `the longest ${longest?.processor.toFixed(1)} ms (${longest?.wall.toFixed(1)} ms by the clock)`,
  );
}

console.log(machineNote());
await withTemporaryDirectory(async (directory) => {
  const file = `${directory}/${NAME}.hdf5`;
  const rows = await writeFlatFile(file, bytes);
  console.log(`${rows.toLocaleString("en")} rows`);
  const app = await serveApp();
  const context = await launchWithProfile(`${directory}/profile`);
  const browser = context.browser();
  if (browser === null) throw new Error("the profile has no browser");
  try {
    const page = await context.newPage();
    await page.goto(`${app.url}#/data`);
    const sets = page.getByRole("region", { name: "Data sets", exact: true });
    await sets.getByText("Drop a Minari folder").waitFor();
    const link = sets.getByRole("link", { name: NAME, exact: true });
    await page.waitForTimeout(3000);
    await measured(browser, page, "dropped, hashed and kept", async () => {
      await dropPath(page, file, sets);
      await link.or(page.getByRole("alert")).first().waitFor();
    });
    if (!(await link.isVisible())) throw new Error(await page.getByRole("alert").first().innerText());
    await measured(browser, page, "looked at", async () => {
      await link.click();
      await page.getByRole("region", { name: "Visited states" }).waitFor();
    });
    await page.goto("about:blank");
    await page.goto(`${app.url}#/new?spec=${sharedManifest(manifest)}`);
    const start = page.getByRole("button", { name: /^Start/ }).first();
    await start.waitFor();
    await page.waitForTimeout(3000);
    await measured(browser, page, "dealt to four members, until a generation ended", async () => {
      await start.click();
      const ended = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
      await ended.or(page.getByRole("alert")).first().waitFor();
    });
    const problem = page.getByRole("alert").first();
    if (await problem.isVisible()) throw new Error(await problem.innerText());
  } finally {
    await context.close();
    await app.close();
  }
});
