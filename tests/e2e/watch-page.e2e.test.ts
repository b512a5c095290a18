import type { Page } from "playwright";
import { describe, expect, it, test } from "vitest";
import { launchBrowser } from "./support/launch-browser.ts";
import { watchPage } from "./support/watch-page.ts";

/** The end-to-end tests rely on the watch to hear every error, whichever thread it comes from. */
const watchedTest = test
  .extend("browser", { scope: "file" }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  .extend("page", async ({ browser }, { onCleanup }) => {
    const page = await browser.newPage();
    onCleanup(() => page.close());
    return page;
  });

const startWorker = (page: Page, script: string) =>
  page.evaluate((text) => {
    new Worker(URL.createObjectURL(new Blob([text])));
  }, script);

const nested = (script: string) => `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(script)}])))`;

describe("watchPage", () => {
  watchedTest.for([
    ["an error on the console", (page: Page) => page.evaluate(() => console.error("alarm"))],
    [
      "a throw that nobody caught",
      (page: Page) => page.evaluate(() => void Promise.reject(new Error("alarm"))),
    ],
    ["an error on a worker's console", (page: Page) => startWorker(page, `console.error("alarm")`)],
    ["a throw in a worker", (page: Page) => startWorker(page, `throw new Error("alarm")`)],
    ["a rejection in a worker", (page: Page) => startWorker(page, `Promise.reject(new Error("alarm"))`)],
    ["an error in a worker's worker", (page: Page) => startWorker(page, nested(`console.error("alarm")`))],
  ] as const)("hears %s", async ([, provoke], { page }) => {
    const complaints = watchPage(page);
    await provoke(page);
    await expect.poll(() => complaints).toEqual([expect.stringContaining("alarm")]);
  });

  watchedTest("takes no offence at warnings", async ({ page }) => {
    const complaints = watchPage(page);
    await page.evaluate(() => {
      console.warn("careful");
      console.error("end");
    });
    await expect.poll(() => complaints.length).toBe(1);
    expect(complaints[0]).toContain("end");
  });
});

describe("launchBrowser", () => {
  it.for([true, false])("gives a WebGPU adapter exactly where asked: %s", async (webgpu) => {
    const browser = await launchBrowser({ webgpu });
    try {
      const page = await browser.newPage();
      // navigator.gpu exists only in a secure context, such as a page of this machine.
      await page.route("http://localhost/", (route) => route.fulfill({ contentType: "text/html", body: "" }));
      await page.goto("http://localhost/");
      const found = await page.evaluate(async () => Boolean(await navigator.gpu?.requestAdapter()));
      expect(found).toBe(webgpu);
    } finally {
      await browser.close();
    }
  });
});
