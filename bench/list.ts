/**
 * `npx tsx bench/list.ts [--runs N]`: measures the list of 200 runs of the built app (npm run build) in headless Chromium:
 * frames while it scrolls, and the processor time that each takes of the page's thread.
 */
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright";
import { sharedManifest } from "../src/ui/pages/editor/sharedManifest.ts";
import { launchBrowser } from "../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../tests/e2e/support/serve-app.ts";
import { machineNote } from "./harness/machine.ts";
import { reportSamples } from "./harness/record.ts";

const { values: options } = parseArgs({ options: { runs: { type: "string", default: "3" } } });

const LISTED = 200;

const MANIFEST = `
algorithm: { name: DQN }
environment: { name: CartPole-v1, num_envs: 4 }
training: { max_steps: 2000, evo_steps: 250, pop_size: 2, seed: 1 }
network: { arch: mlp, latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } }
`;

/** Copies the files of the only run, so that there are as many; text, as compilers' helpers are undefined in the page. */
const COPY = `(async () => {
  const root = await navigator.storage.getDirectory();
  const runs = await (await root.getDirectoryHandle("v1")).getDirectoryHandle("runs");
  const copy = async (from, to) => {
    for await (const [name, handle] of from.entries()) {
      if (handle.kind === "directory") {
        await copy(handle, await to.getDirectoryHandle(name, { create: true }));
        continue;
      }
      const file = await (await to.getFileHandle(name, { create: true })).createWritable();
      await file.write(await handle.getFile());
      await file.close();
    }
  };
  const first = (await runs.values().next()).value;
  for (let at = 1; at < ${LISTED}; at++)
    await copy(first, await runs.getDirectoryHandle("run-copy-" + at, { create: true }));
})()`;

/** Scrolls the list to its end and back, some rows a frame. Milliseconds between frames. */
const SCROLL = `new Promise((resolve) => {
  const scroller = document.scrollingElement;
  const end = scroller.scrollHeight - innerHeight;
  const frames = [];
  let [before, way] = [performance.now(), 0];
  requestAnimationFrame(function step(now) {
    frames.push(now - before);
    before = now;
    way += 40;
    scroller.scrollTop = way < end ? way : 2 * end - way;
    if (way < 2 * end) requestAnimationFrame(step);
    else resolve(frames.slice(1));
  });
})`;

/** Seconds of processor time that the page's thread has worked. */
async function worked(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
  };
}

async function measure(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(`${url}#/new?spec=${sharedManifest(MANIFEST)}`);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByText(/^Finished/).waitFor();
  // A page without a coordinator, which would hold the run.
  await page.goto(`${url}third-party-notices.txt`);
  await page.evaluate(COPY);
  await page.goto(`${url}#/`);
  await page.waitForFunction(`document.querySelector('.runs__table')?.ariaRowCount === "${LISTED + 1}"`);
  const seconds = await worked(page);
  const before = await seconds();
  const frames = (await page.evaluate<number[]>(SCROLL)).toSorted((a, b) => a - b);
  const spent = (1000 * ((await seconds()) - before)) / frames.length;
  await page.close();
  return [frames[Math.floor(frames.length / 2)] ?? Number.NaN, frames.at(-1) ?? Number.NaN, spent];
}

const app = await serveApp();
console.log(machineNote());
const samples: number[][] = [];
for (let run = 0; run < Number(options.runs); run++) {
  const browser = await launchBrowser({ gpu: false });
  samples.push(await measure(browser, app.url));
  await browser.close();
}
await app.close();
reportSamples({
  row: "workbench-list",
  title: `list of ${LISTED} runs`,
  command: `npx tsx bench/list.ts --runs ${options.runs}`,
  figures: [
    { name: "a frame while it scrolls, median", unit: "ms", target: { at_most: 16.7 }, digits: 1 },
    { name: "the longest frame", unit: "ms", digits: 1 },
    { name: "processor time of a frame", unit: "ms", digits: 2 },
  ],
  samples,
});
