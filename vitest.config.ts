import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { chromiumFlags, findChromium } from "./scripts/lib/browser.mjs";

const executablePath = await findChromium();

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
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        // A dependency that is found only while tests run makes the page load again in the middle of them.
        optimizeDeps: {
          include: ["react", "react-dom/client", "react/jsx-dev-runtime", "recharts", "zustand"],
        },
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
