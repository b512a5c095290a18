/** A language model in the built app, which asks no other server for anything: completions, a reload, and on it goes. */
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";
import { screenshot } from "./support/screenshot.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The outer iteration of the newest completion that is shown. */
async function newestIteration(page: Page): Promise<number> {
  const cells = await page.locator(".completions__table tbody td:nth-child(3)").allInnerTexts();
  return Math.max(0, ...cells.map((text) => Number(text.replaceAll(",", ""))));
}

describe("a language model in the workbench", () => {
  appTest(
    "writes, learns, survives a reload and goes on, without any other server",
    async ({ app, page }) => {
      const elsewhere: string[] = [];
      await page.context().route(
        (url) => !url.href.startsWith(app.url),
        (route) => {
          elsewhere.push(route.request().url());
          return route.abort();
        },
      );
      await page.goto(app.url);
      const template = page.getByRole("article", { name: "Answer with the next digit (GRPO)", exact: true });
      await template.getByRole("link", { name: "Edit" }).click();
      // A run that does not end before it is reloaded.
      const field = page.getByLabel("target_score", { exact: true });
      await field.fill("2");
      await page.getByLabel("max_steps", { exact: true }).fill("100000000");
      await button(page, "Start").click();
      await expect.poll(() => newestIteration(page)).toBeGreaterThanOrEqual(2);
      await page.getByRole("region", { name: "Population playing" }).waitFor({ state: "detached" });
      await page.getByText(/^generation \d+$/).waitFor();
      await screenshot(page, "language-model");

      await page.reload();
      await button(page, "Resume").waitFor();
      await expect.poll(() => page.getByText("interrupted").count()).toBeGreaterThan(0);
      await expect.poll(() => newestIteration(page)).toBeGreaterThanOrEqual(1);
      const before = await newestIteration(page);
      await button(page, "Resume").click();
      await expect.poll(() => newestIteration(page)).toBeGreaterThan(before);
      await button(page, "Stop and save").click();
      await expect.poll(() => page.getByText("stopped").count()).toBeGreaterThan(0);
      expect(elsewhere).toEqual([]);
    },
  );
});
