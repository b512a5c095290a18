/** A run on WebGPU in the built app, on SwiftShader's software adapter, whatever happens to it; and no adapter. */
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";
import { holdGpuDevices } from "./support/gpu-devices.ts";
import { screenshot } from "./support/screenshot.ts";

/** Never at its end, in short generations. Mutations keep the structure: SwiftShader compiles another for many seconds. */
const MANIFEST = `
algorithm: {name: DQN, batch_size: 16, learn_step: 4, lr: 0.001}
environment: {name: CartPole-v1, num_envs: 4}
training: {max_steps: 1_000_000, evo_steps: 64, eval_steps: 16, pop_size: 2, hpo: true}
network:
  latent_dim: 8
  encoder_config: {hidden_size: [8], layer_norm: false}
  head_config: {hidden_size: [8], layer_norm: false}
mutation: {rand_seed: 11, probabilities: {arch_mut: 0, new_layer: 0, act_mut: 0}}
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
  await page.locator(".cm-content").waitFor();
  await page.getByLabel("Device", { exact: true }).selectOption("webgpu");
}

/** The number in the status region that reads "Generation N". */
async function generation(page: Page): Promise<number> {
  const status = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
  return Number(/\d+/.exec(await status.innerText())?.[0]);
}

/** Waits until at least generation `n` is shown. */
async function reach(page: Page, n: number): Promise<void> {
  await expect.poll(() => generation(page)).toBeGreaterThanOrEqual(n);
}

describe("WebGPU in the workbench", () => {
  appTest(
    "trains, holds, goes on after a reload, outlives its device, and shows its shaders",
    async ({ app, webgpuPage: page }) => {
      const devices = await holdGpuDevices(page);
      await chooseWebGpu(page, app.url);
      await button(page, "Start").click();
      await button(page, "WebGPU, google swiftshader (software, on the CPU)").waitFor();
      await page.getByRole("link", { name: "Kernels", exact: true }).click();
      await page
        .getByRole("row", { name: /^DQN\.turn WebGPU 0–1 .* ms/ })
        .first()
        .waitFor();
      expect(await page.getByRole("region", { name: "WGSL source" }).innerText()).toContain("@compute");
      await screenshot(page, "webgpu-kernels");
      await page.getByRole("link", { name: "Overview", exact: true }).click();
      await reach(page, 1);

      await button(page, "Pause").click();
      await button(page, "Resume").waitFor();
      await page.reload();
      await page.getByText("interrupted", { exact: true }).first().waitFor();
      const held = await generation(page);
      await button(page, "Resume").click();
      await reach(page, held + 1);

      expect(await devices.count()).toBe(1);
      await devices.destroyLast();
      await page.getByRole("link", { name: "Log", exact: true }).click();
      await page
        .getByRole("list", { name: "Messages" })
        .getByText(/lost.*fresh device/)
        .waitFor();
      await page.getByRole("link", { name: "Overview", exact: true }).click();
      await reach(page, (await generation(page)) + 1);
      await button(page, "Stop and save").click();
      await page.getByText("stopped", { exact: true }).first().waitFor();
      expect(await devices.count()).toBe(2);
      await screenshot(page, "webgpu");
    },
  );

  appTest("is not started where there is no adapter, and the page says why", async ({ app, page }) => {
    await chooseWebGpu(page, app.url);
    await button(page, "Start").click();
    await page
      .getByText(/WebGPU .*train with device "wasm"/)
      .first()
      .waitFor();
  });
});
