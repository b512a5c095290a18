import type { Browser, Page } from "playwright";
import { expect, type TestContext, test } from "vitest";
import { launchBrowser } from "./launch-browser.ts";
import { screenshot } from "./screenshot.ts";
import { serveApp } from "./serve-app.ts";
import { watchPage } from "./watch-page.ts";

/** A page of a context of its own, closed after the test, which fails if the page complained of anything. */
async function openWatched(
  browser: Browser,
  task: TestContext["task"],
  onCleanup: (clean: () => Promise<void>) => void,
) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: "block",
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const complaints = watchPage(page);
  onCleanup(async () => {
    if (task.result?.state === "fail") await screenshot(page, `failed ${task.name}`);
    await context.close();
    expect(complaints, "what the page complained of").toEqual([]);
  });
  return { page, complaints };
}

/** Lets pages that are loaded from now on move and play, as for anyone who did not ask for less of it. */
export const withMotion = (page: Page): Promise<void> =>
  page.emulateMedia({ reducedMotion: "no-preference" });

/**
 * Vitest's `test` with the built app on a server and a browser, which the files of a process share, and a watched page
 * with a storage of its own:
 * `appTest("...", async ({ app, page }) => { await page.goto(app.url); ... })`.
 *
 * The test fails when the page or one of its workers logs an error or throws. A test that provokes an error takes
 * `complaints` too, and empties the list after checking it. A failed test leaves a screenshot in test-results.
 * Nothing plays or moves of its own accord, because drawing takes the processor's time: `withMotion(page)` lets it.
 * `webgpuPage` is such a page in a browser with SwiftShader's WebGPU adapter; `page` has none.
 */
export const appTest = test
  .extend("app", { scope: "worker" }, async ({}, { onCleanup }) => {
    const app = await serveApp();
    onCleanup(() => app.close());
    return app;
  })
  .extend("browser", { scope: "worker" }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser({ gpu: false });
    onCleanup(() => browser.close());
    return browser;
  })
  .extend("webgpuBrowser", { scope: "worker" }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser({ webgpu: true });
    onCleanup(() => browser.close());
    return browser;
  })
  .extend("watched", ({ browser, task }, { onCleanup }) => openWatched(browser, task, onCleanup))
  .extend("page", ({ watched }) => watched.page)
  .extend("complaints", ({ watched }) => watched.complaints)
  .extend(
    "webgpuPage",
    async ({ webgpuBrowser, task }, { onCleanup }) =>
      (await openWatched(webgpuBrowser, task, onCleanup)).page,
  );
