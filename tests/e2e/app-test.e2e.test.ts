/** Tests share a browser's context, and none finds what another has stored. */
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";

/** What the page's site has stored. */
const stored = (page: Page) =>
  page.evaluate(async () => {
    const files: string[] = [];
    for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    return {
      files,
      databases,
      items: localStorage.length,
      caches: await caches.keys(),
      cookies: document.cookie,
    };
  });

/** A page of the site that stores nothing of its own accord. */
async function openPicture(page: Page, url: string): Promise<void> {
  await page.route("**/favicon.ico", (route) => route.fulfill({ body: "" }));
  await page.goto(`${url}favicon.svg`);
}

const nothing = { files: [], databases: [], items: 0, caches: [], cookies: "" };

describe("a page's storage", () => {
  appTest("holds what the page keeps", async ({ app, page }) => {
    await openPicture(page, app.url);
    expect(await stored(page)).toEqual(nothing);
    await page.evaluate(async () => {
      localStorage.setItem("kept", "yes");
      document.cookie = "kept=yes; max-age=1000";
      await caches.open("kept");
      await (await navigator.storage.getDirectory()).getFileHandle("kept", { create: true });
      await new Promise((resolve) => {
        indexedDB.open("kept").onsuccess = resolve;
      });
    });
    expect(await stored(page)).toEqual({
      files: ["kept"],
      databases: ["kept"],
      items: 1,
      caches: ["kept"],
      cookies: "kept=yes",
    });
  });

  appTest("is empty again in the next test", async ({ app, page }) => {
    await openPicture(page, app.url);
    expect(await stored(page)).toEqual(nothing);
  });
});
