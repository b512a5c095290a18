/** Steps the example's lanes in the sandbox of the built app (npm run build), in headless Chromium. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { build } from "vite";
import { root } from "../../scripts/lib/environment.mjs";
import { processTree } from "../../scripts/lib/processTree.mjs";
import { launchBrowser } from "../../tests/e2e/support/launch-browser.ts";
import { serveApp } from "../../tests/e2e/support/serve-app.ts";
import type {} from "./page.ts";
import { LANES, MESSAGES, type PlayMoment } from "./playLanes.ts";

export interface Played {
  readonly steps_per_second: number;
  /** CPU time per message in microseconds, of both workers together; NaN without /proc. */
  readonly us: number;
}

/** Unit of the times in /proc. */
const TICKS_PER_SECOND = 100;

/** Bundles a file of this folder into one classic script. */
async function scriptOf(file: string): Promise<string> {
  const result = await build({
    root,
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      write: false,
      target: "es2023",
      rolldownOptions: {
        input: path.join(import.meta.dirname, file),
        output: { format: "iife", codeSplitting: false },
        checks: { bundlerTimings: false },
      },
    },
  });
  const [bundle] = [result].flat();
  const chunk = bundle && "output" in bundle ? bundle.output[0] : undefined;
  if (chunk === undefined) throw new Error(`${file}: the bundler gave no script`);
  return chunk.code;
}

/** CPU time in seconds of all workers of this process's browsers; NaN without /proc. */
function workerSeconds(): number {
  if (!existsSync("/proc/self/task")) return Number.NaN;
  let ticks = 0;
  for (const pid of processTree(process.pid)) {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
      if (!stat.includes("(DedicatedWorker")) continue;
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      ticks += Number(fields[11]) + Number(fields[12]);
    }
  }
  return ticks / TICKS_PER_SECOND;
}

/**
 * Plays with the environment in the built site's sandbox frame. The page around the frame is this bench's
 * own.
 * @param script Source of the environment's module.
 */
export async function playInChromium(script: string): Promise<Played> {
  const [app, browser, page, worker] = [
    await serveApp(),
    await launchBrowser(),
    await scriptOf("page.ts"),
    await scriptOf("player.worker.ts"),
  ];
  try {
    const tab = await browser.newPage();
    const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
      "play.html": ["text/html", '<!doctype html><title>Play</title><script src="play.js" defer></script>'],
      "play.js": ["text/javascript", page],
      "player.js": ["text/javascript", worker],
    };
    for (const [name, [contentType, body]] of Object.entries(files))
      await tab.route(`${app.url}${name}`, (route) => route.fulfill({ contentType, body }));
    const ended = new Promise<Played>((resolve, reject) => {
      let [begins, before] = [Number.NaN, Number.NaN];
      const tell = (moment: PlayMoment | { readonly problem: string }): void => {
        if ("problem" in moment) return reject(new Error(moment.problem));
        if ("begins" in moment) {
          before = workerSeconds();
          begins = moment.begins;
          return;
        }
        const seconds = workerSeconds() - before;
        const steps_per_second = (1000 * MESSAGES * LANES) / (moment.ends - begins);
        resolve({ steps_per_second, us: (1e6 * seconds) / MESSAGES });
      };
      tab.exposeFunction("tell", tell).catch(reject);
    });
    await tab.goto(`${app.url}play.html`);
    await tab.evaluate((text) => window.play(text), script);
    return await ended;
  } finally {
    await browser.close();
    await app.close();
  }
}
