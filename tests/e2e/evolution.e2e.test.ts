/** What the built app says of a run's evolution, and of its pair without. */
import type { Page } from "playwright";
import { expect } from "vitest";
import { tinyDqn } from "../workers/support/manifests.ts";
import { appTest } from "./support/app-test.ts";
import { chooseMore } from "./support/choose-more.ts";
import { screenshot } from "./support/screenshot.ts";

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** Trains four agents for ten generations, of which the worst explores in each. */
async function train(page: Page, url: string): Promise<void> {
  const tiny = tinyDqn({ pop_size: 4, max_steps: 1280 });
  const selection_strategy = { strategy: "truncation", quantile: 0.25 };
  const manifest = { ...tiny, training: { ...tiny.training, final_episodes: 4 }, selection_strategy };
  await page.goto(url);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Import manifest", exact: true }).first().click(),
  ]);
  const buffer = Buffer.from(JSON.stringify(manifest));
  await chooser.setFiles({ name: "run.json", mimeType: "application/json", buffer });
  await page.locator(".cm-content").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByText(/^Finished on /).waitFor();
}

appTest("a mutation of the champion's line is tested in workers", async ({ app, page }) => {
  await train(page, app.url);
  await page.getByRole("link", { name: "Lineage", exact: true }).click();
  const story = region(page, "How this one won");
  await story.getByRole("button", { name: "Was it that?", exact: true }).first().click();
  await story.getByRole("progressbar").waitFor();
  await story.getByText(/^On new seeds: .+, n = 10: .+ generations?\.$/).waitFor();
  for (const scheme of ["light", "dark"] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await story.scrollIntoViewIfNeeded();
      await screenshot(page, `test ${scheme} ${width}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
});

appTest("a run tells its evolution, and is compared with none on both pages", async ({ app, page }) => {
  await train(page, app.url);
  await page.getByRole("link", { name: "Insight", exact: true }).click();
  const evolution = region(page, "Evolution");
  await evolution.getByRole("row", { name: /^explore/ }).waitFor();
  // 10 generations of 4 members with 4 episodes each, and the final evaluation.
  const facts = evolution.getByRole("definition");
  await expect.poll(async () => Number(await facts.first().innerText())).toBeGreaterThan(160);
  await expect.poll(() => facts.nth(1).innerText()).toBe("16");
  const own = page.url();

  await chooseMore(page, "Compare with no evolution");
  const pair = region(page, "Compared with no evolution");
  await pair.getByText(/With evolution: .+ after 5,120 steps .+ Without: .+ after 5,120 steps/).waitFor();
  await pair.getByText("This is one seed", { exact: false }).waitFor();
  for (const scheme of ["light", "dark"] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await pair.scrollIntoViewIfNeeded();
      await screenshot(page, `pair ${scheme} ${width}`);
      await evolution.scrollIntoViewIfNeeded();
      await screenshot(page, `evolution ${scheme} ${width}`);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }

  await pair.getByRole("link", { name: "DQN CartPole-v1 (no evolution)", exact: true }).click();
  await page
    .getByRole("heading", { level: 1, name: "DQN CartPole-v1 (no evolution)", exact: true })
    .waitFor();
  await pair.getByText(/With evolution: .+ after 5,120 steps/).waitFor();
  await evolution.getByText("This run has no selection and mutation", { exact: false }).waitFor();
  await page.reload();
  await pair.getByText("This is one seed", { exact: false }).waitFor();
  await pair.getByRole("link", { name: "DQN CartPole-v1", exact: true }).click();
  await expect.poll(() => page.url()).toBe(own);
});
