/** A run repeated over seeds in the built app: from the editor, over a reload, to its group in the list. */
import { expect } from "vitest";
import { tinyPpo } from "../workers/support/manifests.ts";
import { appTest } from "./support/app-test.ts";
import { screenshot } from "./support/screenshot.ts";

appTest(
  "repeats over three seeds train one after another, also after a reload, and become a group",
  async ({ app, page }) => {
    await page.goto(app.url);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Import manifest", exact: true }).first().click(),
    ]);
    const buffer = Buffer.from(JSON.stringify(tinyPpo({ max_steps: 16_000 })));
    await chooser.setFiles({ name: "run.json", mimeType: "application/json", buffer });
    await page.locator(".cm-content").waitFor();
    await page.getByLabel("Repeats", { exact: true }).fill("3");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("button", { name: "Show the group", exact: true }).click();
    const group = page.getByRole("row", { name: /^PPO Pendulum-v1 n = / });
    await group.getByText(/^n = [01],.*1 running, [12] queued$/).waitFor();
    await page.reload();
    // What trained is interrupted; those that waited train in the next page.
    await group.getByText(/^n = 2, mean .+, 1 interrupted$/).waitFor();
    await page.getByRole("button", { name: /^Resume PPO Pendulum-v1/ }).click();
    await group.getByText(/^n = 3, mean [-\d,.]+, 95 % interval [-\d,.]+ to [-\d,.]+$/).waitFor();
    await screenshot(page, "finished repeats");
    await group.getByRole("button", { name: "Compare", exact: true }).click();
    await expect.poll(() => page.url()).toMatch(/compare/);
    await page.getByRole("heading", { level: 1 }).waitFor();
  },
);
