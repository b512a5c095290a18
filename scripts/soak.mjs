/**
 * `npm run soak [-- --kills N]`: what takes too long for `npm test`. A thousand archives that were tampered with are
 * imported, two hundred damaged links opened, and a browser that trains is killed fifty times. The last line reads
 * `N passed, N failed`.
 */
import { parseArgs } from "node:util";
import { findOrInstallChromium } from "./lib/browser.mjs";
import { buildAppIfStale } from "./lib/build.mjs";
import { installMissing } from "./lib/environment.mjs";
import { one, runStages } from "./lib/stages.mjs";
import { runTool } from "./lib/tools.mjs";

const { values } = parseArgs({ options: { kills: { type: "string", default: "50" } } });
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

installMissing();
const { failed } = await runStages(
  {
    archives: () => tool("tsx", ["scripts/soak/hostileArchives.ts"]),
    links: () => suite("unit", "tests/ui/share.test.ts", { RLKIT_FUZZED_LINKS: "200" }),
    kills: async () => {
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
  },
  never,
);
process.exitCode = failed > 0 ? 1 : 0;
