/**
 * `npm run soak [-- --kills N] [--minutes N] [--only NAME]`: what takes too long for `npm test`. A thousand archives that
 * were tampered with are imported, two hundred damaged links opened, and a browser that trains is killed fifty times, as are
 * runs in lanes of every kind and the threads of evolution strategies.
 * Fifty times a process of a platform is killed at random: a worker, the one that trains, the database or Redis. For two
 * hours a page trains, whose threads must not hold more and more. The last line reads `N passed, N failed`.
 */
import { parseArgs } from "node:util";
import { findOrInstallChromium } from "./lib/browser.mjs";
import { buildAppIfStale } from "./lib/build.mjs";
import { installMissing } from "./lib/environment.mjs";
import { installRedisServer } from "./lib/redis.mjs";
import { one, runStages } from "./lib/stages.mjs";
import { runTool } from "./lib/tools.mjs";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    minutes: { type: "string", default: "120" },
    only: { type: "string" },
  },
});
const kills = Number(values.kills);
if (!Number.isInteger(kills) || kills < 1) {
  console.error(`--kills: found ${values.kills}, allowed integers from 1`);
  process.exit(2);
}

/** @param {Parameters<typeof runTool>} args */
const tool = async (...args) => one((await runTool(...args)) === 0);

/** @param {string} project @param {string} file @param {Record<string, string>} [env] */
const suite = (project, file, env) => tool("vitest", ["run", `--project=${project}`, file], { env });

/** Ends nothing: whoever starts a soak waits for it. */
const never = new AbortController().signal;

/** @type {Record<string, () => Promise<import("./lib/stages.mjs").Outcome>>} */
const parts = {
  archives: () => tool("tsx", ["scripts/soak/hostileArchives.ts"]),
  links: () => suite("unit*", "tests/ui/inside/share.test.ts", { RLKIT_FUZZED_LINKS: "200" }),
  lanes: () => suite("unit*", "tests/training/hostLanes.test.ts", { RLKIT_LANE_KILLS: `${kills}` }),
  workers: () => suite("unit*", "tests/workers/killedIterations.test.ts", { RLKIT_WORKER_KILLS: `${kills}` }),
  platform: () => {
    installRedisServer();
    return suite("unit*", "tests/platform/kills.test.ts", { RLKIT_PLATFORM_KILLS: `${kills}` });
  },
  browser: async () => {
    await findOrInstallChromium();
    if (!(await buildAppIfStale())) return one(false);
    const outcome = { passed: 0, failed: 0 };
    for (let kill = 0; kill < kills; kill++) {
      const { passed } = await suite("e2e", "tests/e2e/killed-browser.e2e.test.ts");
      outcome.passed += passed;
      outcome.failed += 1 - passed;
    }
    return outcome;
  },
  heap: async () => {
    await findOrInstallChromium();
    if (!(await buildAppIfStale())) return one(false);
    return tool("tsx", ["scripts/soak/heap.ts", "--minutes", values.minutes]);
  },
};
const only = values.only;
if (only !== undefined && !(only in parts)) {
  console.error(`--only: found ${only}, allowed ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}

installMissing();
const chosen = Object.entries(parts).filter(([name]) => only === undefined || name === only);
const { failed } = await runStages(Object.fromEntries(chosen), never);
process.exitCode = failed > 0 ? 1 : 0;
