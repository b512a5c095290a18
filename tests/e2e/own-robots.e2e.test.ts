/** A robot of one's own in the built workbench: dropped on the page, looked at, validated and trained under its policy. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { appTest, withMotion } from "./support/app-test.ts";
import { dropPath } from "./support/drop-path.ts";
import { button, panel } from "./support/ownEnvironments.ts";
import { isPainted, screenshot } from "./support/screenshot.ts";

const ROBOT = path.join(root, "examples/robot");
const MANIFEST = `algorithm: { name: PPO, learn_step: 256, batch_size: 64, update_epochs: 2 }
environment: { name: user/puppy, num_envs: 4, normalize: { observations: true, rewards: true } }
training: { pop_size: 2, max_steps: 4096, evo_steps: 1024, eval_steps: 100 }
`;

describe("a robot of one's own", () => {
  appTest(
    "is dropped with its task, plays and trains; a fault is told with its place",
    async ({ app, page }) => {
      await withMotion(page);
      await page.goto(`${app.url}#/environments`);
      const hint = page.getByText("Or drop a MuJoCo model", { exact: false });
      await hint.waitFor();
      await dropPath(page, ROBOT, hint);
      await page.getByRole("link", { name: "user/puppy", exact: true }).waitFor();
      const editor = page.getByRole("textbox", { name: "Environment code" });
      await expect.poll(() => editor.innerText()).toContain("robot: puppy.xml");

      await button(page, "Validate").click();
      const report = panel(page, "Validation");
      await report.locator(".validation__good, .validation__error").first().waitFor();
      expect(await report.innerText()).toContain("Ready to train");
      const play = panel(page, "Play");
      await button(page, "Open").first().click();
      await expect.poll(() => play.getByText("Last return").count()).toBe(1);
      await expect.poll(() => isPainted(play.locator("canvas"))).toBe(true);
      await screenshot(page, "own-robot");

      // A task that names a part that the model lacks.
      await editor.click();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.insertText(
        "robot: puppy.xml\nobserve: [{ part: qpos, of: wing }]\nreward: [{ term: alive, weight: 1 }]\n",
      );
      await button(page, "Validate").click();
      const found = 'observe[0].of: found "wing", which is no joint of the model';
      await report.getByText(found, { exact: false }).waitFor();

      await page.goto(`${app.url}#/environments`);
      await page.getByRole("link", { name: /^user\/puppy/ }).click();
      await editor.click();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.insertText(readFileSync(path.join(ROBOT, "puppy.yaml"), "utf8"));
      await page.emulateMedia({ reducedMotion: "reduce" });
      await button(page, "Train").click();
      await page.getByText("No problems. Ready to train.").waitFor();
      await page.getByRole("textbox", { name: "Manifest text" }).click();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.insertText(MANIFEST);
      await page.getByText("No problems. Ready to train.").waitFor();
      await button(page, "Start").click();
      await page.getByText("finished", { exact: true }).first().waitFor();
      await screenshot(page, "own-robot-run");
      await page.getByRole("link", { name: "Config", exact: true }).click();
      await panel(page, "Environment code").getByText("robot: puppy.xml").waitFor();
    },
  );
});
