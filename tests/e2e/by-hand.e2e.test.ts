/** A person plays with keys alone, keeps an episode, saves it as a data set, agents imitate it, and go on by themselves. */
import { expect } from "vitest";
import { appTest } from "./support/app-test.ts";
import { faults } from "./support/axe-faults.ts";
import { chooseMore } from "./support/choose-more.ts";
import { isPainted, screenshot } from "./support/screenshot.ts";

appTest("a task is shown by hand, and learned from", async ({ app, page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${app.url}#/environments?play=CartPole-v1`);
  const panel = page.getByRole("region", { name: "Show it yourself" });
  const press = async (key: string, name: string) => {
    await panel.getByRole("button", { name, exact: true }).waitFor();
    // It has the focus, so that the keyboard is enough.
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name);
    await page.keyboard.press(key);
  };
  await panel.getByRole("button", { name: "Begin" }).press("Enter");
  await panel.getByLabel("Speed").selectOption("A step for each press");
  await panel.getByRole("button", { name: "Start" }).press("Enter");
  const end = panel.getByText("The episode has ended");
  for (let i = 0; i < 20 && !(await end.isVisible()); i++) await page.keyboard.press("ArrowRight");
  await press("Enter", "Keep");
  await panel.getByText("1 episode kept").waitFor();
  await press("Enter", "Start");
  for (let i = 0; i < 20 && !(await end.isVisible()); i++) await page.keyboard.press("0");
  await panel.getByRole("button", { name: "Throw away", exact: true }).press("Enter");
  expect(await isPainted(panel.locator("canvas"))).toBe(true);
  await panel.getByText("1 episode kept").waitFor();
  expect(await faults(page)).toEqual([]);
  await screenshot(page, "by-hand-390");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  await panel.getByRole("button", { name: "Save as a data set" }).press("Enter");
  await panel.getByRole("link", { name: "cartpole/by-hand-v0" }).waitFor();
  await panel.getByRole("button", { name: "Learn from this" }).press("Enter");
  await page.getByText("No problems. Ready to train.").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const status = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
  const hasLearned = async () => Number(/\d+/.exec(await status.innerText())?.[0]) >= 1;
  await expect.poll(hasLearned).toBe(true);

  await page.getByRole("button", { name: "Stop and save" }).click();
  await chooseMore(page, "Go on in the environment");
  await page.getByText("No problems. Ready to train.").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect.poll(hasLearned).toBe(true);
  await page.getByText(/^It began with the best agent of .+, whose fitness was \d/).waitFor();
  await screenshot(page, "by-hand-goes-on-390");
});
