import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromiumFlags, findChromium } from "./scripts/lib/browser.mjs";

const executablePath = await findChromium();

/** What the browser's code imports; found only while tests run, it would make the page load again amid them. */
const bundledDependencies = [
  "@codemirror/autocomplete",
  "@codemirror/lang-json",
  "@codemirror/lang-yaml",
  "@codemirror/language",
  "@codemirror/lint",
  "@codemirror/state",
  "@codemirror/view",
  "@lezer/highlight",
  "codemirror",
  "comlink",
  "fflate",
  "idb",
  "planck",
  "react",
  "react-dom",
  "react-dom/client",
  "react/jsx-dev-runtime",
  "react/jsx-runtime",
  "recharts",
  "yaml",
  "zod",
  "zustand",
  "zustand/vanilla",
];

export default defineConfig({
  plugins: [react()],
  worker: { format: "es" },
  test: {
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          include: ["tests/**/*.test.{ts,tsx}"],
          exclude: ["tests/browser/**", "tests/e2e/**"],
          setupFiles: ["tests/support/propertySeed.ts"],
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        optimizeDeps: { include: bundledDependencies },
        test: {
          name: "browser",
          include: ["tests/browser/**/*.browser.test.{ts,tsx}"],
          testTimeout: 60_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({
              launchOptions: { executablePath, args: chromiumFlags({ webgpu: true }) },
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          environment: "node",
          include: ["tests/e2e/**/*.e2e.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 120_000,
          // Each of them drives a browser that trains; side by side they would only slow one another down.
          fileParallelism: false,
        },
      },
    ],
  },
});
