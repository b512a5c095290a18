import { expect, test } from "vitest";
import { launchBrowser } from "./launch-browser.ts";
import { screenshot } from "./screenshot.ts";
import { serveApp } from "./serve-app.ts";
import { watchPage } from "./watch-page.ts";

/**
 * Vitest's `test` with the built app on a server, a browser, and a watched page with a storage of its own:
 * `appTest("...", async ({ app, page }) => { await page.goto(app.url); ... })`.
 *
 * The test fails when the page or one of its workers logs an error or throws. A test that provokes an error takes
 * `complaints` too, and empties the list after checking it. A failed test leaves a screenshot in test-results.
 */
export const appTest = test
  .extend("app", { scope: "file" }, async ({}, { onCleanup }) => {
    const app = await serveApp();
    onCleanup(() => app.close());
    return app;
  })
  .extend("browser", { scope: "file" }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend("watched", async ({ browser, task }, { onCleanup }) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    const complaints = watchPage(page);
    onCleanup(async () => {
      if (task.result?.state === "fail") await screenshot(page, `failed ${task.name}`);
      await context.close();
      expect(complaints, "what the page complained of").toEqual([]);
    });
    return { page, complaints };
  })
  .extend("page", ({ watched }) => watched.page)
  .extend("complaints", ({ watched }) => watched.complaints);
