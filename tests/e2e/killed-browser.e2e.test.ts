/** A browser that is killed again and again while it trains: the run is there afterwards, goes on, and ends with the same bits. */

import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { BrowserContext, Page } from "playwright";
import { describe, expect, test } from "vitest";
import { decodeAgent } from "../../src/training/files.ts";
import { LocalTrainer, type TrainingRun } from "../../src/training/index.ts";
import type { RlKinds } from "../../src/training/workloads.ts";
import { chooseMore } from "./support/choose-more.ts";
import { launchWithProfile } from "./support/launch-browser.ts";
import { serveApp } from "./support/serve-app.ts";

const EVO_STEPS = 1000;
const KILLS = 2;

/** Without a final evaluation, which a run that is stopped does not get to. */
const manifestOf = (generations: number) => `
algorithm: {name: DQN, batch_size: 32, learn_step: 2, lr: 0.001}
environment: {name: CartPole-v1, num_envs: 4}
training: {max_steps: ${generations * EVO_STEPS}, evo_steps: ${EVO_STEPS}, pop_size: 2, hpo: true, final_episodes: 0}
network: {latent_dim: 32, encoder_config: {hidden_size: [32]}, head_config: {hidden_size: [32]}}
mutation: {rand_seed: 11}
`;

/** Never at its end before it is killed or stopped, however slowly that comes. */
const ENDLESS = manifestOf(1_000_000);
const button = (context: BrowserContext, name: string) => {
  const [page] = context.pages();
  if (!page) throw new Error("the browser has no page");
  return page.getByRole("button", { name, exact: true }).first();
};

const status = (page: Page, text: RegExp) => page.getByRole("status").filter({ hasText: text }).first();

/** The number in the status region that reads "Generation N". */
const generation = async (page: Page): Promise<number> =>
  Number(/Generation (\d+)/.exec(await status(page, /Generation \d+/).innerText())?.[1]);

describe("a killed browser", () => {
  test("leaves a run that goes on to the same bits", async () => {
    const profile = await mkdtemp(path.join(tmpdir(), "rlkit-killed-"));
    const app = await serveApp();
    try {
      let browser = await launchWithProfile(profile);
      let page = browser.pages()[0] ?? (await browser.newPage());
      await page.goto(app.url);
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        button(browser, "Import manifest").click(),
      ]);
      await chooser.setFiles({
        name: "run.yaml",
        mimeType: "application/yaml",
        buffer: Buffer.from(ENDLESS),
      });
      await page.locator(".cm-content").waitFor();
      await button(browser, "Start").click();
      await status(page, /Generation ([2-9]|\d{2,})$/).waitFor();
      const run = page.url();
      for (let kill = 0; kill < KILLS; kill++) {
        execFileSync("pkill", ["-9", "-f", profile]);
        await browser.close().catch(() => {});
        browser = await launchWithProfile(profile);
        page = browser.pages()[0] ?? (await browser.newPage());
        await page.goto(run);
        await page.getByText("interrupted", { exact: true }).first().waitFor();
        const interrupted = await generation(page);
        await button(browser, "Resume").click();
        await expect.poll(() => generation(page)).toBeGreaterThan(interrupted);
      }
      await button(browser, "Stop and save").click();
      await page.getByText("stopped", { exact: true }).first().waitFor();
      const stopped = await generation(page);
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        chooseMore(page, "Download elite"),
      ]);
      const resumed = decodeAgent(new Uint8Array(await readFile(await download.path())), "elite").agent;
      await browser.close();

      const runs: TrainingRun<RlKinds>[] = [];
      const trainer = await LocalTrainer.fromManifest(manifestOf(stopped));
      await trainer.train({ verbose: false, onRun: (r) => runs.push(r) });
      const whole = runs[0]?.state.elite;
      expect(resumed.fitness).toEqual(whole?.fitness);
      expect(resumed.networks.actor?.tensors).toEqual(whole?.networks.actor?.tensors);
      expect(resumed.optimizers.optimizer?.first).toEqual(whole?.optimizers.optimizer?.first);
    } finally {
      await app.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  });
});
