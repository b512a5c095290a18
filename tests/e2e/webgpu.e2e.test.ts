/** A run on WebGPU in the built app, on SwiftShader's software adapter; and what is said without an adapter. */
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";
import { launchBrowser } from "./support/launch-browser.ts";
import { screenshot } from "./support/screenshot.ts";
import { watchPage } from "./support/watch-page.ts";

const WAIT = 120_000;

const MANIFEST = `
algorithm: {name: DQN, batch_size: 16, learn_step: 4, lr: 0.001}
environment: {name: CartPole-v1, num_envs: 4}
training: {max_steps: 384, evo_steps: 128, pop_size: 2, hpo: true}
network: {latent_dim: 8, encoder_config: {hidden_size: [8]}, head_config: {hidden_size: [8]}}
mutation: {rand_seed: 11}
`;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).first();

/** Opens the manifest in the editor, with WebGPU for its device. */
async function chooseWebGpu(page: Page, url: string): Promise<void> {
  await page.goto(url);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    button(page, "Import manifest").click(),
  ]);
  const file = { name: "run.yaml", mimeType: "application/yaml", buffer: Buffer.from(MANIFEST) };
  await chooser.setFiles(file);
  await page.locator(".cm-content").waitFor({ timeout: WAIT });
  await page.getByLabel("Device", { exact: true }).selectOption("webgpu");
}

describe("WebGPU in the workbench", () => {
  appTest("trains a population to its end, and says on what", { timeout: 3 * WAIT }, async ({ app }) => {
    const browser = await launchBrowser({ webgpu: true });
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    const complaints = watchPage(page);
    await chooseWebGpu(page, app.url);
    await button(page, "Start").click();
    await page
      .getByText("finished", { exact: true })
      .first()
      .waitFor({ timeout: 2 * WAIT });
    await page
      .getByText(/^WebGPU, .*SwiftShader/i)
      .first()
      .waitFor({ timeout: WAIT });
    await screenshot(page, "webgpu");
    expect(
      await page
        .getByRole("status")
        .filter({ hasText: /Generation 3$/ })
        .count(),
    ).toBe(1);
    await browser.close();
    expect(complaints).toEqual([]);
  });

  appTest("is not started where there is no adapter, and the page says why", async ({ app, page }) => {
    await chooseWebGpu(page, app.url);
    await button(page, "Start").click();
    await page
      .getByText(/WebGPU .*train with device "wasm"/)
      .first()
      .waitFor({ timeout: WAIT });
  });
});
