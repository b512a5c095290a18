/** Pages of language models in the built app: the model before the start, completions, data, curves, a conversation. */
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";
import { screenshot } from "./support/screenshot.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const view = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Views of this run" }).getByRole("link", { name, exact: true });

describe("pages of language models", () => {
  appTest(
    "show the model, prompts over time and answers of a run that learns from rewards",
    async ({ app, page }) => {
      await page.goto(`${app.url}#/new?template=grpo-next-digit`);
      const card = region(page, "Model");
      await card.getByText("Llama, 2 layers").waitFor();
      expect(await card.getByText("Vocabulary").count()).toBe(1);
      await expect
        .poll(() => page.getByLabel("Estimated cost of this run").innerText())
        .toMatch(/Memory[^]*about .*B/);
      await page.getByLabel("target_score", { exact: true }).fill("2");
      await page.getByLabel("max_steps", { exact: true }).fill("100000000");
      await button(page, "Start").click();

      await region(page, "Training").getByText("median of the members").waitFor();
      await view(page, "Completions").click();
      const prompts = region(page, "Prompts").getByRole("row");
      await expect.poll(() => prompts.count()).toBeGreaterThan(2);
      // With two iterations there is something to compare.
      await page.getByRole("slider", { name: "Before" }).waitFor();
      await button(page, "Differences").click();
      await region(page, "Differences of the two iterations").waitFor();
      await page.getByRole("checkbox", { name: /^Pin / }).nth(1).check();
      await expect.poll(() => page.getByRole("checkbox", { name: /^Pin / }).first().isChecked()).toBe(true);
      await screenshot(page, "completions");

      // An answer waits for the turns of runs: here for one that lasts as long as the test wants.
      await view(page, "Chat").click();
      await page.evaluate(
        () =>
          new Promise<void>((begun) => {
            void navigator.locks.request("rlkit language model", { mode: "shared" }, () => {
              begun();
              return new Promise<void>((end) => window.addEventListener("turn over", () => end()));
            });
          }),
      );
      await page.getByRole("textbox", { name: "Message" }).fill("12");
      await page.keyboard.press("Enter");
      await page.getByText(/^Queued: a run is training/).waitFor();
      await page.evaluate(() => window.dispatchEvent(new Event("turn over")));
      await page
        .getByRole("log")
        .getByText(/tokens? in .* s, /)
        .waitFor();
      await button(page, "Two side by side").click();
      await page.getByRole("textbox", { name: "Message" }).fill("3");
      await button(page, "Send").click();
      await expect
        .poll(() =>
          page
            .getByRole("log")
            .nth(1)
            .getByText(/tokens? in .* s, /)
            .count(),
        )
        .toBe(1);
      await screenshot(page, "chat");
      await button(page, "Stop and save").click();
      await expect.poll(() => page.getByText("stopped").count()).toBeGreaterThan(0);
    },
  );

  appTest("show rows as the model reads them, before the start and after", async ({ app, page }) => {
    await page.goto(`${app.url}#/new?template=sft-backwards`);
    await button(page, "Show the data").click();
    const data = region(page, "Data");
    await data.getByRole("row").nth(1).locator("mark").waitFor();
    await data.getByRole("searchbox", { name: "Find rows" }).fill("abcd>");
    await expect.poll(() => data.getByRole("row").count()).toBe(2);
    expect(await data.getByRole("row").nth(1).innerText()).toContain("abcd>dcba<eos>");
    await button(page, "Start").click();
    await view(page, "Data").click();
    await region(page, "Data").getByText("Held-out rows").waitFor();
    await screenshot(page, "data");
    const status = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
    await expect
      .poll(async () => Number(/\d+/.exec(await status.innerText())?.[0]))
      .toBeGreaterThanOrEqual(3);
    await button(page, "Stop and save").click();
    await expect.poll(() => page.getByText("stopped").count()).toBeGreaterThan(0);
  });
});
