import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { z } from "zod";
import { chromiumFlags, findChromium } from "./scripts/lib/browser.mjs";
import { bundledWorkers } from "./tests/support/bundledWorkers.ts";
import { cachedSources } from "./tests/support/cachedSources.ts";
import { COMPILED_PLACE } from "./tests/support/compiled.ts";
import { compiledSources } from "./tests/support/compiledSources.ts";
import { SlowFirst } from "./tests/support/SlowFirst.ts";
import { apart, mocking, ownProcess, platform } from "./tests/support/unitProcesses.ts";

/** Another browser than Chromium is the one that Playwright has installed. */
const browser = z.enum(["chromium", "firefox", "webkit"]).parse(process.env.RLKIT_BROWSER ?? "chromium");
const chromium = { executablePath: await findChromium(), args: chromiumFlags({ webgpu: true }) };

/** What the browser's code imports; found only while tests run, it would make the page load again amid them. */
const bundledDependencies = [
  "@huggingface/jinja",
  "@huggingface/tokenizers",
  "@noble/hashes/sha2.js",
  "@noble/hashes/utils.js",
  "@codemirror/autocomplete",
  "@codemirror/lang-json",
  "@codemirror/lang-yaml",
  "@codemirror/language",
  "@codemirror/lint",
  "@codemirror/state",
  "@codemirror/view",
  "@lezer/highlight",
  "@tanstack/react-table",
  "@tanstack/react-virtual",
  "axe-core",
  "cmdk",
  "codemirror",
  "comlink",
  "eventsource-parser",
  "fflate",
  "h5wasm",
  "idb",
  "lucide-react",
  "planck",
  "radix-ui",
  "react",
  "react-dom",
  "react-dom/client",
  "react/jsx-dev-runtime",
  "react/jsx-runtime",
  "sucrase",
  "yaml",
  "zod",
  "zustand",
  "zustand/vanilla",
];

/** As long as a timer can wait, about 25 days: for settings that take no 0 for "never". */
const LONGEST = 2 ** 31 - 1;

/** A limit in seconds fails on a slow machine. So none ends a test, a hook or a wait; scripts/test.mjs ends what hangs. */
const withoutLimits = {
  testTimeout: 0,
  hookTimeout: 0,
  teardownTimeout: LONGEST,
  expect: { poll: { timeout: LONGEST } },
};

const COMPILES = ["tests/support/compileSources.ts"];

/** What `compiledSources` finds is loaded by Node. */
const fromNode = { deps: { external: [COMPILED_PLACE] } };

const unit = {
  environment: "node",
  globalSetup: COMPILES,
  setupFiles: ["tests/support/propertySeed.ts", "tests/support/typedArrayEquality.ts"],
  server: fromNode,
};

/** Files share a process: most of their time would go into loading the library again. */
const shared = { ...unit, isolate: false, restoreMocks: true, unstubGlobals: true, unstubEnvs: true };

const drivingBrowsers = (name: string, setup: readonly string[]) => ({
  name,
  environment: "node",
  setupFiles: ["tests/support/typedArrayEquality.ts"],
  // Each poll takes processor time from the page that the test waits for.
  expect: { poll: { interval: 200 } },
  server: fromNode,
  globalSetup: [...COMPILES, ...setup],
  include: [`tests/${name}/**/*.e2e.test.ts`],
  // The files of a process share its browser and its server of the site (tests/e2e/support/app-test.ts).
  isolate: false,
});

export default defineConfig({
  plugins: [react()],
  worker: { format: "es" },
  test: {
    // scripts/test.mjs sets another number. Vitest applies its own option of the command line to no project.
    maxWorkers: Number(process.env.RLKIT_TEST_WORKERS ?? 2),
    sequence: { sequencer: SlowFirst },
    ...withoutLimits,
    // Read here, and not in the project that has a browser.
    browser: { connectTimeout: LONGEST },
    projects: [
      {
        extends: true,
        test: { ...unit, name: "unit-mocks", include: [...mocking] },
      },
      {
        extends: true,
        plugins: [compiledSources()],
        test: { ...unit, name: "unit-alone", include: [...ownProcess] },
      },
      {
        extends: true,
        plugins: [compiledSources()],
        test: { ...shared, name: "unit-apart", include: [...apart] },
      },
      {
        extends: true,
        plugins: [compiledSources()],
        test: { ...shared, name: "unit-platform", include: [...platform] },
      },
      {
        extends: true,
        plugins: [compiledSources()],
        test: {
          ...shared,
          name: "unit",
          include: ["tests/**/*.test.{ts,tsx}"],
          exclude: [
            ...["browser", "e2e", "published"].map((folder) => `tests/${folder}/**`),
            ...[...apart, ...platform, ...ownProcess, ...mocking],
          ],
        },
      },
      {
        extends: true,
        plugins: [bundledWorkers(), cachedSources()],
        // onnxruntime finds its WebAssembly files beside its script.
        optimizeDeps: { include: bundledDependencies, exclude: ["onnxruntime-web"] },
        test: {
          name: "browser",
          include: ["tests/browser/**/*.browser.test.{ts,tsx}"],
          // The files of a page share its modules: each of them would load all of the workbench again, part by part.
          isolate: false,
          restoreMocks: true,
          unstubGlobals: true,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              actionTimeout: 0,
              launchOptions: { ...(browser === "chromium" && chromium), timeout: 0 },
            }),
            instances: [{ browser }],
          },
        },
      },
      { extends: true, plugins: [compiledSources()], test: drivingBrowsers("e2e", []) },
      {
        extends: true,
        plugins: [compiledSources()],
        test: drivingBrowsers("published", ["tests/published/support/packOnce.ts"]),
      },
    ],
  },
});
