/** The same seed gives the same bits in a browser and in Node. */

import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { decodeAgent } from "../../src/training/files.ts";
import { LocalTrainer, type TrainingRun } from "../../src/training/index.ts";
import type { RlKinds } from "../../src/training/workloads.ts";
import { appTest } from "./support/app-test.ts";
import { chooseMore } from "./support/choose-more.ts";

const manifestOf = (algorithm: string, environment: string) => `
algorithm: ${algorithm}
environment: {name: ${environment}, num_envs: 4}
training: {max_steps: 512, evo_steps: 256, eval_steps: 150, pop_size: 2, hpo: true}
network: {latent_dim: 16, encoder_config: {hidden_size: [16]}, head_config: {hidden_size: [16]}}
mutation: {rand_seed: 7}
`;

/** Weights of the best member of the last generation, trained in Node. */
async function eliteInNode(manifest: string) {
  const trainer = await LocalTrainer.fromManifest(manifest);
  const runs: TrainingRun<RlKinds>[] = [];
  await trainer.train({ verbose: false, onRun: (run) => runs.push(run) });
  return runs[0]?.state.elite;
}

/** The file that the workbench offers after training the manifest to its end. */
async function eliteInBrowser(page: Page, url: string, manifest: string) {
  await page.goto(url);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    page.getByRole("button", { name: "Import manifest", exact: true }).first().click(),
  ]);
  await chooser.setFiles({ name: "run.yaml", mimeType: "application/yaml", buffer: Buffer.from(manifest) });
  await page.waitForURL(/#\/new/);
  await page.locator(".cm-content").waitFor();
  await page.getByRole("button", { name: "Start", exact: true }).first().click();
  await page.getByText("finished", { exact: true }).first().waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), chooseMore(page, "Download elite")]);
  return decodeAgent(new Uint8Array(await readFile(await download.path())), "elite").agent;
}

describe("a seed", () => {
  for (const [algorithm, environment] of [
    ["{name: DQN, batch_size: 16, learn_step: 4, lr: 0.001}", "CartPole-v1"],
    ["{name: PPO, batch_size: 32, learn_step: 128, lr: 0.001}", "CartPole-v1"],
    // Its physics is stepped in JavaScript.
    ["{name: DQN, batch_size: 16, learn_step: 4, lr: 0.001}", "LunarLander-v3"],
    // MuJoCo steps it, and the page's policy forbids functions made of text.
    ["{name: PPO, batch_size: 32, learn_step: 128, lr: 0.001}", "HalfCheetah-v5"],
  ] as const) {
    appTest(
      `gives the same weights in Chromium and in Node: ${algorithm} on ${environment}`,
      async ({ app, page }) => {
        const manifest = manifestOf(algorithm, environment);
        const inNode = await eliteInNode(manifest);
        const inBrowser = await eliteInBrowser(page, app.url, manifest);
        expect(inNode?.fitness).toEqual(inBrowser.fitness);
        for (const [name, { tensors }] of Object.entries(inNode?.networks ?? {})) {
          for (const [tensor, values] of Object.entries(tensors)) {
            expect(inBrowser.networks[name]?.tensors[tensor], `${name}.${tensor}`).toEqual(values);
          }
        }
        expect(Object.keys(inBrowser.networks)).toEqual(Object.keys(inNode?.networks ?? {}));
      },
    );
  }
});
