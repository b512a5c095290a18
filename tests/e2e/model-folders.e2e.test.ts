/** A model's folder that is dropped into the built workbench, with no other server: it trains, and its removal is told. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { modelFolder } from "../llm/support/modelFolder.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";
import { appTest } from "./support/app-test.ts";
import { dropPath } from "./support/drop-path.ts";
import { screenshot } from "./support/screenshot.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function writeFolder(folder: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of files) await writeFile(path.join(folder, name), bytes);
}

describe("a model's folder in the workbench", () => {
  appTest("is checked, kept and trained, and its removal is told", ({ app, page }) =>
    withTemporaryDirectory(async (directory) => {
      const elsewhere: string[] = [];
      await page.context().route(
        (url) => !url.href.startsWith(app.url),
        (route) => {
          elsewhere.push(route.request().url());
          return route.abort();
        },
      );
      const [broken, whole] = [path.join(directory, "broken"), path.join(directory, "tiny")];
      await writeFolder(broken, new Map([...modelFolder()].filter(([name]) => name !== "tokenizer.json")));
      await writeFolder(whole, modelFolder());

      const storage = `${app.url}#/storage`;
      await page.goto(storage);
      const models = page.getByRole("region", { name: "Models", exact: true });
      await page.getByLabel("Model folder").setInputFiles(broken);
      await page.getByRole("alert").getByText("broken/tokenizer.json: no such file").waitFor();
      await button(page, "Dismiss").click();

      await dropPath(page, whole, models);
      await models.getByText("models/tiny", { exact: true }).waitFor();
      await screenshot(page, "models");
      await page.reload();
      await button(page, "Train").click();
      await page.locator(".cm-content").getByText("models/tiny").first().waitFor();
      await button(page, "Start").click();
      const status = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
      await expect
        .poll(async () => Number(/\d+/.exec(await status.innerText())?.[0]))
        .toBeGreaterThanOrEqual(3);

      const run = page.url();
      await page.evaluate(() => {
        window.location.hash = "#/storage";
      });
      await models.getByRole("button", { name: "Delete", exact: true }).click();
      await button(page, "Delete permanently").click();
      await page.getByText("Drop the folder of a Llama").waitFor();
      await page.evaluate((hash) => {
        window.location.hash = hash;
      }, new URL(run).hash);
      await page.getByText("Log", { exact: true }).click();
      await page.getByText("models/tiny was deleted").first().waitFor();
      await button(page, "Stop and save").click();
      await page.getByText("stopped", { exact: true }).first().waitFor();
      await button(page, "Resume").click();
      await page.getByRole("alert").getByText("which is not stored in this browser").waitFor();
      expect(elsewhere).toEqual([]);
    }),
  );
});
