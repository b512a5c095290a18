/**
 * `npm test`: installs what is missing (dependencies, a browser), then runs every check. A failed stage does not
 * stop the later ones. The last line reads `N passed, N failed`, over all stages: each test counts, and each
 * stage without tests of its own (format, lint, types, build) counts as one.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { browserAdvice, findOrInstallChromium, installVulkanLoader } from "./lib/browser.mjs";
import { buildApp, buildAppIfStale, buildLib, buildLibIfStale } from "./lib/build.mjs";
import { installMissing, requireNode } from "./lib/environment.mjs";
import { countTests } from "./lib/report.mjs";
import { runTool } from "./lib/tools.mjs";

/**
 * A stage's outcome: how many of its checks passed and failed.
 *
 * @typedef {{ passed: number, failed: number }} Outcome
 */

/**
 * @param {boolean} passed
 * @returns {Outcome}
 */
const one = (passed) => ({ passed: passed ? 1 : 0, failed: passed ? 0 : 1 });
/** @param {Parameters<typeof runTool>} args */
const tool = async (...args) => one((await runTool(...args)) === 0);

/** @type {Record<string, () => Promise<Outcome>>} */
const stages = {
  format: () => tool("@biomejs/biome", ["check", "."]),
  lint: () => tool("oxlint", ["--deny-warnings"]),
  types: () => tool("typescript", ["-p", "tsconfig.json"], { bin: "tsc" }),
  build: async () => {
    const results = [await buildApp(), await buildLib()];
    return one(results.every(Boolean));
  },
  // WebGPU in Node runs on the software adapter that comes with Chromium.
  unit: () =>
    withBrowser(() => {
      installVulkanLoader();
      return vitest("unit");
    }),
  browser: () => withBrowser(() => vitest("browser")),
  e2e: () =>
    withBrowser(async () => {
      const built = (await buildAppIfStale()) && (await buildLibIfStale());
      return built ? vitest("e2e") : one(false);
    }),
};

/**
 * Runs one project of vitest.config.ts and counts its tests; none at all is a failure.
 *
 * @param {string} project
 */
async function vitest(project) {
  const folder = mkdtempSync(path.join(tmpdir(), "rlkit-test-"));
  const report = path.join(folder, "report.json");
  try {
    const code = await runTool("vitest", [
      "run",
      `--project=${project}`,
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...filters,
    ]);
    return countTests(readReport(report), code);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/**
 * Runs a stage with the browser's path in RLKIT_CHROMIUM, or fails it with advice when there is none.
 *
 * @param {() => Promise<Outcome>} run
 */
async function withBrowser(run) {
  const executable = await findOrInstallChromium();
  if (executable === undefined) {
    console.error(browserAdvice);
    return one(false);
  }
  process.env.RLKIT_CHROMIUM = executable;
  return run();
}

requireNode();
const { values, positionals: filters } = parseArgs({
  options: { only: { type: "string", multiple: true }, help: { type: "boolean" } },
  allowPositionals: true,
});
const names = Object.keys(stages);
if (values.help) {
  console.log(`npm test [-- --only STAGE,...] [FILE FILTER ...]\nStages: ${names.join(", ")}`);
  process.exit(0);
}
const wanted = (values.only ?? []).flatMap((list) => list.split(","));
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no stage called "${unknown}"; choose among: ${names.join(", ")}.`);
  process.exit(2);
}

const total = { passed: 0, failed: 0 };
const summary = [];
if (installMissing()) {
  mkdirSync("test-results", { recursive: true });
  for (const [name, run] of Object.entries(stages)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`\n== ${name}`);
    const started = performance.now();
    const result = await run().catch((error) => {
      console.error(error);
      return one(false);
    });
    total.passed += result.passed;
    total.failed += result.failed;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    summary.push(`${name.padEnd(8)} ${result.passed} passed, ${result.failed} failed (${seconds} s)`);
  }
} else {
  total.failed += 1;
}

console.log(`\n${summary.join("\n")}\n`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
