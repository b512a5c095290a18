/**
 * `npx tsx bench/theatre.ts [--seconds N]`: measures the theatre of the built app (npm run build) in headless Chromium. The
 * visitor's page: when agents move after the first paint, and the longest task of the page until the third generation.
 * Stages of 64 bodies and of 256 agents: frames a second and the milliseconds of a frame in their worker.
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright";
import type { CastMember } from "../src/stage/stageProtocol.ts";
import { launchBrowser } from "../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../tests/e2e/support/serve-app.ts";
import { agentFile } from "../tests/ui/support/stageAgents.ts";
import { machineNote } from "./harness/machine.ts";
import { reportSamples } from "./harness/record.ts";

const { values: options } = parseArgs({ options: { seconds: { type: "string", default: "5" } } });
const MILLISECONDS = 1000 * Number(options.seconds);

/** Measures in the page; text, since a compiler's helper names are undefined there. */
const WATCH = `window.tasks = [];
new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: "longtask", buffered: true });
new MutationObserver(() => {
  const stage = document.querySelector(".theatre__stage");
  if (stage?.dataset.moving === "true") window.moved ??= performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true });`;

/** Counts frames of a stage's worker and their time. */
const COUNT = `new Promise((resolve) => {
  const next = self.requestAnimationFrame.bind(self);
  let [frames, spent, longest] = [0, 0, 0];
  const start = performance.now();
  self.requestAnimationFrame = (act) => next((now) => {
    const before = performance.now();
    act(now);
    const taken = performance.now() - before;
    frames += 1;
    spent += taken;
    longest = Math.max(longest, taken);
  });
  setTimeout(() => {
    const passed = performance.now() - start;
    self.requestAnimationFrame = next;
    resolve([(1000 * frames) / passed, spent / frames, longest]);
  }, ${MILLISECONDS});
})`;

async function visit(browser: Browser, url: string): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.addInitScript(WATCH);
  await page.goto(url);
  await page.locator(".theatre__stage[data-act='2'][data-changing=false]").waitFor();
  const figures = await page.evaluate<number[]>(`(() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0].startTime;
    return [(window.moved - paint) / 1000, Math.max(0, ...window.tasks)];
  })()`);
  await page.close();
  return figures;
}

/** Opens a stage of its own in the page, of the size of the visitor's, and puts agents on it. */
async function stageOf(page: Page, environment: string, count: number): Promise<void> {
  const file = readdirSync("dist/app/assets").find((name) => /^stage\.worker-.*\.js$/.test(name));
  const members = Array.from({ length: count }, (_, at): Omit<CastMember, "bytes"> & { bytes: string } => ({
    key: String(at),
    bytes: Buffer.from(agentFile(at, { algorithm: "PPO", environment }).bytes).toString("base64"),
    environment,
    env_config: null,
    module: null,
    ancestors: [],
    colour: "#4276bb",
    fitness: at,
  }));
  const theme = { ink: "#e8eef7", accent: "#ffc62e", muted: "#63758f", ground: "#182334", line: "#26344b" };
  const parts = { size: { width: 1160, height: 435, ratio: 1 }, theme: { ...theme, fitness: ["#5a62c4"] } };
  await page.evaluate(`new Promise((resolve) => {
    const canvas = document.createElement("canvas");
    canvas.style.cssText = "position: fixed; inset: 0; z-index: 99; width: 1160px; height: 435px";
    document.body.append(canvas);
    const worker = new Worker("./assets/${file}", { type: "module" });
    worker.addEventListener("message", ({ data }) => data.kind === "moving" && resolve());
    const offscreen = canvas.transferControlToOffscreen();
    const { port2 } = new MessageChannel();
    const open = { kind: "open", canvas: offscreen, sandboxes: port2, still: false, rated: false, ...${JSON.stringify(parts)} };
    worker.postMessage(open, [offscreen, port2]);
    const members = ${JSON.stringify(members)}.map((one) => ({
      ...one,
      bytes: Uint8Array.from(atob(one.bytes), (letter) => letter.charCodeAt(0)),
    }));
    worker.postMessage({ kind: "cast", cast: { id: 1, members } });
  })`);
}

async function play(browser: Browser, url: string, environment: string, count: number): Promise<number[]> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  // A page without a theatre of its own.
  await page.goto(`${url}#/help`);
  await stageOf(page, environment, count);
  const [worker] = page.workers().filter((one) => one.url().includes("stage.worker"));
  if (!worker) throw new Error("there is no stage");
  const figures = await worker.evaluate<number[]>(COUNT);
  await page.close();
  return figures;
}

const app = await serveApp();
console.log(machineNote());
const browser = await launchBrowser({ gpu: false });
const figures = [
  await visit(browser, app.url),
  await play(browser, app.url, "rlkit/HalfCheetah-v0", 64),
  await play(browser, app.url, "CartPole-v1", 256),
  await play(browser, app.url, "rlkit/HalfCheetah-v0", 256),
];
await browser.close();
await app.close();
reportSamples({
  row: "theatre",
  title: "theatre",
  command: "npx tsx bench/theatre.ts",
  figures: [
    { name: "moving after the first paint", unit: "s", target: { at_most: 1 }, digits: 2 },
    { name: "longest task", unit: "ms", target: { at_most: 50 }, digits: 0 },
    { name: "64 bodies: frames", unit: "/s", target: { at_least: 30 }, digits: 1 },
    { name: "64 bodies: a frame of the worker", unit: "ms", digits: 1 },
    { name: "64 bodies: its longest frame", unit: "ms", digits: 1 },
    { name: "256 of CartPole: frames", unit: "/s", target: { at_least: 55 }, digits: 1 },
    { name: "256 agents of CartPole: a frame of the worker", unit: "ms", digits: 1 },
    { name: "256 agents of CartPole: its longest frame", unit: "ms", digits: 1 },
    { name: "256 bodies: frames", unit: "/s", digits: 1 },
    { name: "256 bodies: a frame of the worker", unit: "ms", digits: 1 },
    { name: "256 bodies: its longest frame", unit: "ms", digits: 1 },
  ],
  samples: [figures.flat()],
});
