/** The file that plays an agent: made by the workbench, opened from the disk without a network. */
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { appTest, withMotion } from "./support/app-test.ts";
import { faults } from "./support/axe-faults.ts";
import { chooseMore } from "./support/choose-more.ts";
import { screenshot } from "./support/screenshot.ts";

/** Trains a little, and saves the play file of the champion. */
async function savedFile(page: Page, url: string): Promise<string> {
  await page.goto(url);
  await page.getByRole("button", { name: "Watch 8 agents learn" }).click();
  await page.getByRole("link", { name: "How it came about" }).waitFor();
  await page.getByRole("button", { name: "Stop and save" }).click();
  await page.getByText("stopped", { exact: true }).first().waitFor();
  await chooseMore(page, "Share champion…");
  await page.getByText(/^The link contains the policy/).waitFor();
  expect(await faults(page)).toEqual([]);
  await screenshot(page, "share dialog");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download play file" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^play-[0-9a-f]{8}\.html$/);
  const file = path.join(mkdtempSync(path.join(tmpdir(), "rlkit-play-")), download.suggestedFilename());
  await download.saveAs(file);
  return file;
}

describe("a play file", () => {
  appTest("plays from the disk without a network, and can be played against", async ({ app, page }) => {
    const file = await savedFile(page, app.url);
    expect(readFileSync(file).length).toBeLessThanOrEqual(400_000);
    await page.context().setOffline(true);
    try {
      await withMotion(page);
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.goto(pathToFileURL(file).href);
      await page.locator('main[data-moving="true"]').waitFor();
      expect(await page.locator(".story li").allInnerTexts()).toEqual([
        "An agent of PPO plays CartPole-v1.",
        expect.stringMatching(/^It is number \d+, the best of its population in generation \d+\.$/),
        expect.stringMatching(/^Its score when it was evaluated: [\d.]+\.$/),
      ]);
      const score = (name: string) => page.locator("figure", { hasText: name }).locator("strong").innerText();
      await expect.poll(async () => Number(await score("The agent"))).toBeGreaterThan(20);
      for (const [width, height] of [
        [390, 844],
        [1440, 900],
      ] as const) {
        await page.setViewportSize({ width, height });
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          expect(await faults(page)).toEqual([]);
          await screenshot(page, `play file ${width} ${colorScheme}`);
        }
      }
      await page.getByRole("button", { name: "Beat it" }).click();
      await page.getByRole("button", { name: "Start", exact: true }).click();
      // Nobody touches a key, so the pole falls after some steps, each of which counts 1.
      await page.getByText(/You have \d+\.0\. The agent still plays\.|wins?, |A draw/).waitFor();
      expect(Number(await score("You"))).toBeGreaterThan(4);
      await screenshot(page, "play file duel");
      await page.getByRole("button", { name: "Another start" }).click();
      await page.getByRole("button", { name: "Start", exact: true }).waitFor();
      // It is local, so no address for others is in it.
      expect(await page.getByRole("link", { name: "Train your own" }).count()).toBe(0);
      expect(asked).toEqual([pathToFileURL(file).href]);

      const text = readFileSync(file, "utf8");
      expect(await page.title()).toBe("PPO in CartPole-v1 · rlkit");
      const about = page.locator('meta[property="og:description"]');
      expect(await about.getAttribute("content")).toMatch(
        /^An agent of PPO plays CartPole-v1\. It is number /,
      );
      const data = /(<script type="application\/json" id="play">)(.*?)(<\/script>)/;
      const damages: readonly (readonly [string, RegExp])[] = [
        [text.replace(data, "$1{}$3"), /This file was changed or is incomplete\. Ask for a new one\./],
        [text.replace(data, "$1$3"), /This file was changed or is incomplete/],
        [text.replace(/"agent":"..../, '"agent":"AAAA'), /cannot play: it (?:is|has|contains)/],
      ];
      for (const [damaged, told] of damages) {
        writeFileSync(file, damaged);
        await page.goto(pathToFileURL(file).href);
        expect(await page.getByRole("alert").innerText()).toMatch(told);
      }
    } finally {
      await page.context().setOffline(false);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });
});
