/** The tour by keyboard, and the play page's duel. */
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";
import { faults } from "./support/axe-faults.ts";
import { chooseMore } from "./support/choose-more.ts";
import { holdRun } from "./support/hold-run.ts";
import { screenshot } from "./support/screenshot.ts";

const offer = (page: Page) => page.getByRole("complementary", { name: "Tour" });
const card = (page: Page) => page.locator(".tour");

/** Opens the page of a run that has trained, and is held: its training would take the page's processor. */
async function train(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.getByRole("button", { name: "Watch 8 agents learn" }).click();
  await page.getByRole("link", { name: "How it came about" }).waitFor();
  await holdRun(page);
}

describe("the tour", () => {
  appTest(
    "is offered once, walks through five parts by keyboard, and starts from Help",
    async ({ app, page }) => {
      await train(page, app.url);
      expect(await faults(page)).toEqual([]);
      await offer(page).getByRole("button", { name: "Take the tour" }).focus();
      await page.keyboard.press("Enter");
      for (const step of [1, 2, 3, 4, 5]) {
        const heading = card(page).getByRole("heading", { name: `Tour, ${step} of 5` });
        await heading.waitFor();
        await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H2");
        expect(await page.locator("[data-tour]").count()).toBe(1);
        if (step === 1) {
          expect(await faults(page)).toEqual([]);
          await screenshot(page, "tour");
        }
        const next = card(page).getByRole("button", { name: step === 5 ? "Done" : "Next" });
        await next.focus();
        await page.keyboard.press("Enter");
      }
      await expect.poll(() => card(page).count()).toBe(0);
      expect(await page.locator("[data-tour]").count()).toBe(0);
      await page.reload();
      await page.getByRole("link", { name: "How it came about" }).waitFor();
      expect(await offer(page).count()).toBe(0);
      await page.getByRole("link", { name: "Help" }).first().click();
      await page.getByRole("heading", { name: "How a run evolves" }).waitFor();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "Take the tour" }).click();
      await card(page).getByRole("heading", { name: "The population" }).waitFor();
      await page.keyboard.press("Escape");
      await expect.poll(() => card(page).count()).toBe(0);
    },
  );
});

describe("the page of a linked agent", () => {
  appTest("lets visitors play against it, and train their own", async ({ app, page }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await train(page, app.url);
    await chooseMore(page, "Share champion…");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link to the playing elite copied.", { exact: true }).waitFor();
    await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
    const own = page.getByRole("link", { name: "Train your own" });
    expect(await own.getAttribute("href")).toMatch(/^#\/new\?spec=/);
    await page.getByRole("button", { name: "Beat it" }).click();
    const duel = page.getByRole("region", { name: "Beat it" });
    await duel.getByRole("button", { name: "Start", exact: true }).click();
    // Nobody touches a key, so the pole falls after some steps, each of which counts 1.
    const score = (name: string) => duel.locator("figure", { hasText: name }).locator("strong").innerText();
    await duel.getByText(/You have \d+\.0\. The agent still plays\.|wins?, |A draw/).waitFor();
    expect(Number(await score("You"))).toBeGreaterThan(4);
    await expect.poll(async () => Number(await score("The agent"))).toBeGreaterThan(8);
    await duel.getByText(/The agent wins, |You win, |A draw/).waitFor();
    expect(await faults(page)).toEqual([]);
    await screenshot(page, "duel");
    await own.click();
    await page.getByRole("button", { name: "Start", exact: true }).waitFor();
    await expect.poll(() => page.locator(".cm-content").innerText()).toContain("CartPole-v1");
  });
});
