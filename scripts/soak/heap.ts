/**
 * `tsx scripts/soak/heap.ts [--minutes N] [--every N]`: the built app trains an endless population in headless Chromium
 * with the run's page open. Every few minutes garbage is collected in the page and in each worker, and what is left is
 * printed. Ends with an error where the last quarter of the time holds more than the second.
 */
import { parseArgs } from "node:util";
import type { Page } from "playwright";
import { builtInTemplate } from "../../src/manifests/templates.ts";
import { sharedManifest } from "../../src/ui/pages/editor/sharedManifest.ts";
import { launchBrowser } from "../../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../../tests/e2e/support/serve-app.ts";
import { watchPage } from "../../tests/e2e/support/watch-page.ts";
import { growthOf, type HeapSample } from "./heapGrowth.ts";
import { ThreadHeaps } from "./threadHeaps.ts";

const MEMBERS = 16;

/** PPO on CartPole that does not end. Its networks stay as large as they are: those that grow would be no leak. */
function manifest(): string {
  const { manifest } = builtInTemplate("ppo-cartpole");
  const { training, mutation } = manifest;
  return JSON.stringify({
    ...manifest,
    training: { ...training, pop_size: MEMBERS, max_steps: 1e11, target_score: null },
    mutation: { ...mutation, probabilities: { ...mutation?.probabilities, arch_mut: 0 } },
  });
}

function minutesOf(name: string, text: string): number {
  const minutes = Number(text);
  if (minutes > 0) return minutes;
  console.error(`--${name}: found ${text}, allowed minutes above 0`);
  process.exit(2);
}

/** The generation of the newest checkpoint, as the page says. */
async function generationOn(page: Page): Promise<number> {
  const text = await page.locator(".strip").innerText();
  return Number(/generation ([\d,]+)/.exec(text)?.[1]?.replaceAll(",", ""));
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2);

function print({ minute, generation, heaps, dom }: HeapSample): void {
  const threads = heaps.map(
    ({ name, used, embedder, buffers }) =>
      `${name} ${megabytes(used)} + ${megabytes(embedder)} + ${megabytes(buffers)}`,
  );
  console.log(
    `minute ${minute.toFixed(0)}, generation ${generation}: ${threads.join("; ")} MB; ${dom.nodes} nodes, ${dom.documents} documents, ${dom.jsEventListeners} listeners`,
  );
}

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "120" },
    every: { type: "string", default: "5" },
  },
});
const [minutes, every] = [minutesOf("minutes", values.minutes), minutesOf("every", values.every)];
const app = await serveApp();
const browser = await launchBrowser();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const complaints = watchPage(page);
await page.goto(`${app.url}#/new?spec=${sharedManifest(manifest())}`);
await page
  .getByRole("button", { name: /^Start/ })
  .first()
  .click();
await page.getByRole("button", { name: /1st of/ }).waitFor();
const threads = await ThreadHeaps.of(browser, page);
console.log("objects of JavaScript + of the browser + array buffers, after garbage was collected");
const samples: HeapSample[] = [];
const start = performance.now();
for (let next = 0; next <= minutes; next += every) {
  await page.waitForTimeout(Math.max(0, next * 60_000 - (performance.now() - start)));
  const minute = (performance.now() - start) / 60_000;
  const [generation, heaps, dom] = [await generationOn(page), await threads.collect(), await threads.dom()];
  const sample = { minute, generation, heaps, dom };
  print(sample);
  samples.push(sample);
}
await browser.close();
await app.close();
const { lines, problems } = growthOf(samples, MEMBERS);
for (const line of lines) console.log(line);
for (const problem of [...problems, ...complaints]) console.error(problem);
process.exitCode = problems.length + complaints.length > 0 ? 1 : 0;
