/** A language model on WebGPU in the built app, on SwiftShader's software adapter, with nothing but the site to reach. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { appTest } from "./support/app-test.ts";

/** Never at its end. */
const MANIFEST = `
algorithm: {name: GRPO, batch_size: 2, group_size: 2, max_output_tokens: 1, max_model_len: 16, lr: 0.001}
environment: {env_type: rollout, entrypoint: rlkit/ConditionalTarget, max_turns: 1}
network: {pretrained_model_name_or_path: rlkit/tiny-digits, max_context_length: 16}
training: {max_steps: 1_000_000, pop_size: 1, evaluation_interval: 1000}
`;

describe("the built site", () => {
  appTest("has WebAssembly of packages compressed, and only what a page may load", () => {
    const files = readdirSync(path.join(root, "dist/app/assets")).filter((name) =>
      /\.(?:wasm|bin)$/.test(name),
    );
    expect(files.map((name) => name.replace(/-[\w-]{8}\./, ".")).sort()).toEqual([
      "h5wasm.bin",
      "mujoco.bin",
      "onnxruntime.bin",
    ]);
  });
});

describe("a language model on WebGPU in the workbench", () => {
  appTest(
    "trains, with files of the site alone, of which the first load has none",
    async ({ app, webgpuPage: page }) => {
      const asked: string[] = [];
      await page.context().route("**/*", (route) => {
        asked.push(route.request().url());
        return route.request().url().startsWith(app.url) ? route.continue() : route.abort();
      });
      const runtimeFiles = () =>
        asked
          .map((url) => url.split("/").at(-1))
          .filter((name) => name && /^(?:ort|onnxruntime)\b/.test(name));
      await page.goto(app.url);
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        page.getByRole("button", { name: "Import manifest", exact: true }).first().click(),
      ]);
      await chooser.setFiles({
        name: "run.yaml",
        mimeType: "application/yaml",
        buffer: Buffer.from(MANIFEST),
      });
      await page.locator(".cm-content").waitFor();
      await page.getByLabel("Device", { exact: true }).selectOption("webgpu");
      expect(runtimeFiles()).toEqual([]);
      await page.getByRole("button", { name: "Start", exact: true }).first().click();
      await page.getByText("WebGPU, onnxruntime").first().waitFor();
      const status = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
      await expect
        .poll(async () => Number(/\d+/.exec(await status.innerText())?.[0]))
        .toBeGreaterThanOrEqual(2);
      expect(runtimeFiles().map((name) => name?.replace(/-[\w-]{8}\.(js|bin)$/, ".$1"))).toEqual([
        "ort.webgpu.bundle.min.js",
        "onnxruntime.bin",
      ]);
      expect(asked.filter((url) => !url.startsWith(app.url) && !url.startsWith("blob:"))).toEqual([]);
      await page.getByRole("button", { name: "Stop and save", exact: true }).first().click();
      await page.getByText("stopped", { exact: true }).first().waitFor();
    },
  );
});
