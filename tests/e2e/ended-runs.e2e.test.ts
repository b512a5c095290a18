/** What the built app says of runs that end, and of a run that no longer fits into the browser's storage. */
import type { Page } from "playwright";
import { expect } from "vitest";
import { tinyPpo } from "../workers/support/manifests.ts";
import { appTest } from "./support/app-test.ts";
import { screenshot } from "./support/screenshot.ts";

async function start(page: Page, url: string, manifest: object): Promise<void> {
  await page.goto(url);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Import manifest", exact: true }).first().click(),
  ]);
  const buffer = Buffer.from(JSON.stringify(manifest));
  await chooser.setFiles({ name: "run.json", mimeType: "application/json", buffer });
  await page.locator(".cm-content").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "PPO Pendulum-v1" }).waitFor();
}

const goToRuns = (page: Page): Promise<void> =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Runs", exact: true }).click();

appTest("a run that ends says why, and its row is what it is after a reload", async ({ app, page }) => {
  const tiny = tinyPpo({ max_steps: 1e6 });
  // Every fitness of Pendulum is above this one.
  await start(page, app.url, { ...tiny, training: { ...tiny.training, target_score: -1e4 } });
  await page.getByText(/^Finished on .+: every member's fitness is above the target of -10,000\.$/).waitFor();
  await screenshot(page, "finished");
  // Wide enough for all columns.
  await page.setViewportSize({ width: 1920, height: 1000 });
  await goToRuns(page);
  const row = page.getByRole("row", { name: /PPO Pendulum-v1/ });
  await row.getByText("finished", { exact: true }).waitFor();
  const cells = async () =>
    (await row.getByRole("cell").allInnerTexts()).filter((text) => !/ago|just now/.test(text));
  // Only its manifest was there when the list was read.
  await expect.poll(cells).toContainEqual(expect.stringMatching(/^\d\d+(\.\d)? kB$/));
  const before = await cells();
  await screenshot(page, "list after an end");
  await page.reload();
  await expect.poll(cells).toEqual(before);
});

appTest(
  "a run that does not fit into storage says so, here and in the list, as long as that lasts",
  async ({ app, page }) => {
    await start(page, app.url, tinyPpo({ max_steps: 1e9 }));
    const checkpoint = page.getByRole("region", { name: "Progress" }).getByText(/^generation \d+$/);
    await checkpoint.waitFor();
    const { origin } = new URL(app.url);
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 1 });
    const alert = page.getByRole("alert").filter({ hasText: "Nothing is saved since generation" });
    await alert.getByText("the browser's storage is full", { exact: false }).waitFor();
    await screenshot(page, "full storage");
    await goToRuns(page);
    const mark = page.getByRole("row", { name: /PPO Pendulum-v1/ }).getByText("not saved", { exact: true });
    await mark.waitFor();
    await devtools.send("Storage.overrideQuotaForOrigin", { origin });
    await mark.waitFor({ state: "detached" });
    await page.getByRole("link", { name: "PPO Pendulum-v1", exact: true }).first().click();
    await page.getByRole("button", { name: "Stop and save", exact: true }).click();
    await page.getByText(/^Stopped on .+ Resume continues from there\.$/).waitFor();
    await expect.poll(() => alert.count()).toBe(0);
  },
);
