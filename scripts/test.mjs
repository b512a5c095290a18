/**
 * `npm test`: installs what is missing (dependencies, a browser, a Redis server), then runs every check. A failed stage does not
 * stop the later ones. The last line reads `N passed, N failed`, over all stages: each test counts, and each
 * stage without tests of its own (format, lint, types, build) counts as one. What hangs is ended: a stage
 * in which no test begins or ends for long, and all of them by one limit.
 * Unit tests take longest, so lint and types, and the stages that mostly wait, for a browser or the platform's processes, run
 * beside them, in two groups. Where one has ended, what has not begun of another runs in its place.
 * `--changed` is the inner loop: static checks of the files that were changed, and the tests nearest to them.
 */
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { browserAdvice, findOrInstallChromium, installVulkanLoader } from "./lib/browser.mjs";
import { buildApp, buildAppIfStale, buildLib, buildLibIfStale } from "./lib/build.mjs";
import { changedFiles, changedTests } from "./lib/changedTests.mjs";
import { installMissing, requireNode } from "./lib/environment.mjs";
import { installRedisServer } from "./lib/redis.mjs";
import { one, runStages, vitest } from "./lib/stages.mjs";
import { runTool } from "./lib/tools.mjs";

/** @import { Outcome } from "./lib/stages.mjs" */

/** Minutes for all stages together: the only limit there is, for what hangs. RLKIT_TEST_MINUTES sets another. */
const MINUTES = 80;
/** About as long as a timer can wait. */
const MOST_MINUTES = 35_000;

/**
 * Bytes that glibc asks the kernel for at once. SwiftShader's compiler grows the heap again and again by small steps: with
 * this it takes 5.3 s for a learner of Rainbow's, without 6.5 (2 x AMD EPYC, Debian 12). To be deleted when it makes no
 * difference.
 */
const HEAP_STEP = 2 ** 26;

/**
 * Minutes in which some browser test must begin or end. A wait for an element that never comes has no other end; the slowest
 * of these tests takes about a fortieth of them on two cores, beside all else.
 */
const BROWSER_IDLE_MINUTES = 5;

/**
 * Stages that run beside the others where unit tests are among them, which take longest. Those of the platform mostly wait for
 * its processes.
 */
const BESIDE_UNIT = [
  ["lint", "types", "platform"],
  ["browser", "e2e", "published"],
];

/** @param {Parameters<typeof runTool>} args */
const tool = async (...args) => one((await runTool(...args)) === 0);

/**
 * @param {string} name of a project in vitest.config.ts, or what several begin with and *
 * @param {Parameters<typeof vitest>[1]} [options]
 */
const project = (name, options) => vitest([`--project=${name}`, ...filters], options);

/**
 * The stages of `--changed`. Types are those of the whole project, as far as they may have changed since the last time.
 *
 * @returns {Record<string, () => Promise<Outcome>>}
 */
function stagesOfChange() {
  const changed = changedFiles();
  const { chosen, reached } = changedTests(changed);
  console.log(
    `${changed.length} files changed; they reach ${reached} test files, of which ${chosen.length} run.`,
  );
  const code = changed.filter((file) => /\.(?:[cm]?js|tsx?)$/.test(file));
  const incremental = ["--incremental", "--tsBuildInfoFile", ".cache/changed.tsbuildinfo"];
  const tests = (/** @type {boolean} */ browser) =>
    chosen.filter((file) => file.startsWith("tests/browser/") === browser);
  const [inNode, inBrowser] = [tests(false), tests(true)];
  return {
    format: () => tool("@biomejs/biome", ["check", "--no-errors-on-unmatched", ...changed]),
    ...(code.length > 0 && {
      lint: () => tool("oxlint", ["--deny-warnings", ...code]),
      types: () => tool("typescript", ["-p", "tsconfig.json", ...incremental], { bin: "tsc" }),
    }),
    ...(inNode.length > 0 && { unit: () => unit(inNode) }),
    ...(inBrowser.length > 0 && {
      browser: () => withBrowser(() => vitest(["--project=browser", ...inBrowser], { env: besideEnv() })),
    }),
  };
}

/**
 * WebGPU in Node runs on the software adapter that comes with Chromium.
 *
 * @param {readonly string[]} files
 * @param {readonly string[]} projects
 * @param {Record<string, string>} [env]
 */
const unit = (files, projects = ["unit*"], env = {}) =>
  withBrowser(() => {
    installVulkanLoader();
    // Without one the tests that need it fail, and say how to get it.
    installRedisServer();
    process.env.MALLOC_TOP_PAD_ ??= `${HEAP_STEP}`;
    return vitest([...projects.map((name) => `--project=${name}`), ...files], { env });
  });

/**
 * Stages beside the unit tests have one worker each: on two cores, all tests took less with fewer processes
 * (docs/decisions/2026-11-24-tests-on-two-cores.md).
 *
 * @returns {Record<string, string>}
 */
const besideEnv = () => (hasUnit ? { RLKIT_TEST_WORKERS: "1" } : {});

/** @type {Record<string, () => Promise<Outcome>>} */
const stages = {
  format: () => tool("@biomejs/biome", ["check", "."]),
  lint: () => tool("oxlint", ["--deny-warnings"]),
  types: () => tool("typescript", ["-p", "tsconfig.json"], { bin: "tsc" }),
  build: async () => {
    try {
      // The stage of types checks them.
      const results = [await buildApp(), await buildLib({ check: false })];
      return one(results.every(Boolean));
    } finally {
      buildEnded();
    }
  },
  unit: () => unit(filters, ["unit", "unit-mocks", "unit-alone", "unit-apart"]),
  platform: () => unit(filters, ["unit-platform"], besideEnv()),
  browser: () =>
    withBrowser(() => project("browser", { env: besideEnv(), idleMinutes: BROWSER_IDLE_MINUTES })),
  e2e: () => drivingBrowsers("e2e"),
  published: () => drivingBrowsers("published"),
};

let buildEnded = () => {};

/** What a stage waits for that needs the build: beside it, it would build everything a second time. */
let built = Promise.resolve();

/**
 * Looked for once, also by stages that run at the same time.
 *
 * @type {ReturnType<typeof findOrInstallChromium> | undefined}
 */
let chromium;

/**
 * Runs a stage with the browser's path in RLKIT_CHROMIUM, or fails it with advice when there is none.
 *
 * @param {() => Promise<Outcome>} run
 */
async function withBrowser(run) {
  chromium ??= findOrInstallChromium();
  const executable = await chromium;
  if (executable === undefined) {
    console.error(browserAdvice);
    return one(false);
  }
  process.env.RLKIT_CHROMIUM = executable;
  return run();
}

/** @param {string} name of a project whose tests drive what was built */
const drivingBrowsers = (name) =>
  withBrowser(async () => {
    await built;
    const isBuilt = (await buildAppIfStale()) && (await buildLibIfStale());
    return isBuilt ? project(name, { env: besideEnv() }) : one(false);
  });

requireNode();
const { values, positionals: filters } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    changed: { type: "boolean" },
    help: { type: "boolean" },
  },
  allowPositionals: true,
});
const names = Object.keys(stages);
if (values.help) {
  console.log(`npm test [-- --changed | --only STAGE,...] [FILE FILTER ...]\nStages: ${names.join(", ")}`);
  process.exit(0);
}
const wanted = (values.only ?? []).flatMap((list) => list.split(","));
const unknown = wanted.find((name) => !names.includes(name));
if (unknown !== undefined) {
  console.error(`There is no stage called "${unknown}"; choose among: ${names.join(", ")}.`);
  process.exit(2);
}

const hasUnit = wanted.length === 0 || wanted.includes("unit");

const minutes = Number(process.env.RLKIT_TEST_MINUTES ?? MINUTES);
if (!(minutes > 0 && minutes <= MOST_MINUTES)) {
  console.error(
    `RLKIT_TEST_MINUTES is "${process.env.RLKIT_TEST_MINUTES}"; allowed are numbers above 0, up to ${MOST_MINUTES}.`,
  );
  process.exit(2);
}
const limit = new AbortController();
setTimeout(() => limit.abort(`${minutes} minutes (RLKIT_TEST_MINUTES)`), minutes * 60_000).unref();

if (installMissing()) {
  mkdirSync("test-results", { recursive: true });
  const chosen = Object.entries(values.changed ? stagesOfChange() : stages).filter(
    ([name]) => wanted.length === 0 || wanted.includes(name),
  );
  if (chosen.some(([name]) => name === "build")) {
    built = new Promise((resolve) => {
      buildEnded = resolve;
      limit.signal.addEventListener("abort", () => resolve());
    });
  }
  /** @param {(name: string) => boolean} isOne */
  const those = (isOne) => Object.fromEntries(chosen.filter(([name]) => isOne(name)));
  const beside = hasUnit ? BESIDE_UNIT : [];
  const { passed, failed } = await runStages(
    those((name) => !beside.flat().includes(name)),
    limit.signal,
    ...beside.map((group) => those((name) => group.includes(name))),
  );
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
} else {
  console.log("\n0 passed, 1 failed");
  process.exitCode = 1;
}
