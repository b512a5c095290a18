/** The theatre in the built workbench: the recorded run of the first page, and the time-lapse of one's own. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { appTest, withMotion } from "./support/app-test.ts";
import { faults } from "./support/axe-faults.ts";
import { screenshot } from "./support/screenshot.ts";

const stage = (page: Page) => page.locator(".theatre__stage");
const act = (page: Page) => stage(page).getAttribute("data-act");
const foot = (page: Page) => page.locator(".theatre__foot");

describe("the first page", () => {
  appTest(
    "plays a recorded run without a click, with scenes between its generations",
    async ({ app, page }) => {
      await withMotion(page);
      await page.goto(app.url);
      await expect.poll(() => stage(page).getAttribute("data-moving")).toBe("true");
      await expect.poll(() => stage(page).getAttribute("data-changing")).toBe("true");
      await screenshot(page, "theatre scene");
      await expect.poll(() => act(page)).toBe("1");
      await expect
        .poll(() => foot(page).innerText())
        .toMatch(/Generation 2[\s\S]*fell away, \d+ copies mutated/);
      await foot(page).getByRole("button", { name: "Pause" }).click();
      await foot(page).getByRole("button", { name: "Play" }).waitFor();
    },
  );

  appTest(
    "shows stills with captions to those who asked for little motion, by keyboard",
    async ({ app, page }) => {
      await page.goto(app.url);
      await expect.poll(() => act(page)).toBe("0");
      expect(await stage(page).getAttribute("data-members")).toBe("32");
      await expect.poll(() => foot(page).innerText()).toContain("32 beginners");
      const slider = page.getByRole("slider", { name: "Generation 1" });
      await slider.focus();
      await page.keyboard.press("End");
      await expect.poll(() => foot(page).innerText()).toMatch(/\d+ fell away/);
      expect(await stage(page).getAttribute("data-moving")).toBe("false");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await faults(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await faults(page)).toEqual([]);
      const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
      expect(scrollWidth).toBe(clientWidth);
    },
  );

  appTest(
    "says so where canvases cannot be drawn in workers, and starts runs all the same",
    async ({ app, page }) => {
      await page.addInitScript("delete HTMLCanvasElement.prototype.transferControlToOffscreen");
      await page.goto(app.url);
      await page.getByText("This browser cannot draw in workers").waitFor();
      expect(await faults(page)).toEqual([]);
      await page.getByRole("button", { name: "Watch 8 agents learn" }).click();
      await page.getByRole("heading", { level: 1, name: "PPO CartPole" }).waitFor();
      await page.getByText("This browser cannot draw in workers").waitFor();
    },
  );

  appTest("keeps the recording for visits without a network", () => {
    const worker = readFileSync(path.join(root, "dist/app/service-worker.js"), "utf8");
    expect(worker).toMatch(/assets\/recordedRun-[\w-]+\.js/);
    expect(worker).toMatch(/assets\/stage\.worker-[\w-]+\.js/);
  });
});

describe("one's own run", () => {
  appTest(
    "starts from the theatre, plays in its own, and runs through in a time-lapse",
    async ({ app, page }) => {
      await withMotion(page);
      await page.goto(app.url);
      await page.getByRole("button", { name: "Watch 8 agents learn" }).click();
      const members = page
        .getByRole("list", { name: "Members playing" })
        .getByRole("button", { name: /^Member / });
      await expect.poll(() => members.count()).toBe(8);
      const wall = page.getByRole("region", { name: "Population playing" });
      await expect.poll(() => wall.innerText()).toMatch(/Champion: #\d+ with [\d.]+\./);
      await expect.poll(() => page.locator(".scrubber__latest").innerText()).toMatch(/Generation [3-9]/);
      await page.getByRole("button", { name: "Pause", exact: true }).click();
      await wall.getByRole("button", { name: "Time-lapse" }).click();
      await expect.poll(() => page.url()).toContain("generation=1");
      await wall.getByRole("button", { name: "Stop time-lapse" }).waitFor();
      await expect.poll(() => page.url()).not.toContain("generation=");
      await wall.getByRole("button", { name: "Time-lapse", exact: true }).waitFor();
      // A past generation plays whole, not its champion alone.
      await page.getByRole("slider", { name: "Generation" }).focus();
      await page.keyboard.press("Home");
      await wall.getByText("generation 1", { exact: true }).waitFor();
      await expect.poll(() => wall.innerText()).toMatch(/Generation 1\. Champion: #\d+ with [\d.]+\./);
      expect(await members.count()).toBe(8);
      await screenshot(page, "past generation");
      await page.getByRole("button", { name: "Next generation" }).click();
      await expect.poll(() => page.url()).toContain("generation=2");
      await wall.getByRole("button", { name: "Selection" }).click();
      await expect.poll(() => page.url()).toContain("generation=1");
      await expect.poll(() => page.url()).toContain("generation=2");
      await screenshot(page, "selection");
      await wall.getByRole("button", { name: "Selection" }).waitFor();
      expect(await members.count()).toBe(8);
      expect(await faults(page)).toEqual([]);
    },
  );

  appTest("of an evolution strategy shows the copies of its champion", async ({ app, page }) => {
    await withMotion(page);
    await page.goto(`${app.url}#/new?template=es-cartpole`);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("button", { name: "Copies", exact: true }).click();
    const wall = page.getByRole("region", { name: "Copies playing" });
    await expect.poll(() => wall.innerText()).toMatch(/128 copies of #\d+ after generation \d+/);
    expect(await page.getByRole("list", { name: "Members playing" }).count()).toBe(0);
    await screenshot(page, "copies");
    expect(await faults(page)).toEqual([]);
    await page.getByRole("button", { name: "Members", exact: true }).click();
    await page.getByRole("region", { name: "Population playing" }).waitFor();
  });
});
