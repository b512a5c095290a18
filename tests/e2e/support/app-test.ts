import type { Browser, BrowserContext, Page } from "playwright";
import { expect, type TestContext, test } from "vitest";
import { launchBrowser } from "./launch-browser.ts";
import { screenshot } from "./screenshot.ts";
import { serveApp } from "./serve-app.ts";
import { watchPage } from "./watch-page.ts";

/** Where the tests of a process open their pages, so that what the site's files compile to is kept between them. */
interface SharedContext {
  readonly context: BrowserContext;
  /** Of pages that have been shown, whose storage must be emptied. */
  readonly origins: Set<string>;
}

async function openContext(browser: Browser): Promise<SharedContext> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    serviceWorkers: "block",
    reducedMotion: "reduce",
  });
  return { context, origins: new Set() };
}

/** Forgets all that pages of before have stored. */
async function emptyStorage(page: Page, { context, origins }: SharedContext): Promise<void> {
  await context.clearCookies();
  const session = await context.newCDPSession(page);
  for (const origin of origins)
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await session.detach();
  origins.clear();
}

/** A page without anything stored, closed after the test, which fails if the page complained of anything. */
async function openWatched(
  shared: SharedContext,
  task: TestContext["task"],
  onCleanup: (clean: () => Promise<void>) => void,
) {
  const { context, origins } = shared;
  const page = await context.newPage();
  await emptyStorage(page, shared);
  page.on("framenavigated", (frame) => {
    const { origin } = new URL(frame.url());
    if (origin !== "null") origins.add(origin);
  });
  const complaints = watchPage(page);
  onCleanup(async () => {
    if (task.result?.state === "fail") await screenshot(page, `failed ${task.name}`);
    await context.unrouteAll();
    await context.clearPermissions();
    for (const open of context.pages()) await open.close();
    expect(complaints, "what the page complained of").toEqual([]);
  });
  return { page, complaints };
}

/** Lets pages that are loaded from now on move and play, as for anyone who did not ask for less of it. */
export const withMotion = (page: Page): Promise<void> =>
  page.emulateMedia({ reducedMotion: "no-preference" });

/**
 * Vitest's `test` with the built app on a server and a browser, which the files of a process share, and a watched page
 * without anything stored:
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
  .extend("shared", { scope: "worker" }, ({ browser }) => openContext(browser))
  .extend("watched", ({ shared, task }, { onCleanup }) => openWatched(shared, task, onCleanup))
  .extend("page", ({ watched }) => watched.page)
  .extend("complaints", ({ watched }) => watched.complaints)
  .extend("webgpuShared", { scope: "worker" }, ({ webgpuBrowser }) => openContext(webgpuBrowser))
  .extend(
    "webgpuPage",
    async ({ webgpuShared, task }, { onCleanup }) => (await openWatched(webgpuShared, task, onCleanup)).page,
  );
