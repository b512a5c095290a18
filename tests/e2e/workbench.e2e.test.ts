/** The main job, end to end, in the built app: start, watch, pause, reload, go on, export, import, download. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright";
import { describe, expect, onTestFinished } from "vitest";
import { parseManifest } from "../../src/manifests/index.ts";
import { decodeAgent } from "../../src/training/files.ts";
import { tinyLander } from "../workers/support/manifests.ts";
import { appTest, withMotion } from "./support/app-test.ts";
import { chooseMore } from "./support/choose-more.ts";
import { screenshot } from "./support/screenshot.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** The number in the status region that reads "Generation N". */
async function generation(page: Page): Promise<number> {
  const text = await page
    .getByRole("status")
    .filter({ hasText: /Generation \d+/ })
    .first()
    .innerText();
  return Number(/Generation (\d+)/.exec(text)?.[1]);
}

/** Waits until at least generation `n` is shown. */
async function reach(page: Page, n: number): Promise<void> {
  await expect.poll(() => generation(page)).toBeGreaterThanOrEqual(n);
}

/** The generation at which a run is held. One whose last slice was done before the pause may still end. */
async function heldGeneration(page: Page): Promise<number> {
  await button(page, "Resume").waitFor();
  const before = await generation(page);
  // Time in which a run that is not held would go on; one that is held passes however long it takes.
  await page.waitForTimeout(1500);
  const held = await generation(page);
  expect(held).toBeLessThanOrEqual(before + 1);
  return held;
}

/** Waits until the wall plays, and its picture changes. */
async function untilWallMoves(page: Page): Promise<void> {
  await page.locator(".wall__stage[data-moving=true]").waitFor();
  const picture = async () => (await page.locator(".wall__canvas").screenshot()).toString("base64");
  const first = await picture();
  await expect.poll(picture).not.toBe(first);
}

async function startFirstTemplate(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await button(page, "Start").first().click();
  await reach(page, 1);
}

describe("the workbench", () => {
  appTest("trains from one click, plays, pauses, survives a reload and goes on", async ({ app, page }) => {
    await withMotion(page);
    await startFirstTemplate(page, app.url);
    await page.getByRole("region", { name: "Fitness", exact: true }).waitFor();
    await reach(page, 2);
    // Of the second generation on, which members came from which.
    await expect.poll(() => page.locator(".plot-strand--living[d^=M]").count()).toBeGreaterThan(0);
    await screenshot(page, "running");
    await untilWallMoves(page);
    await button(page, "Table").click();
    await page.getByRole("region", { name: "Fitness", exact: true }).getByRole("table").waitFor();

    await button(page, "Pause").click();
    const held = await heldGeneration(page);
    await button(page, "Resume").click();
    await reach(page, held + 1);

    await page.reload();
    await button(page, "Resume").waitFor();
    await expect.poll(() => page.getByText("interrupted").count()).toBeGreaterThan(0);
    await screenshot(page, "interrupted");
    await button(page, "Resume").click();
    await reach(page, held + 1);

    await button(page, "Stop and save").click();
    await expect.poll(() => page.getByText("stopped").count()).toBeGreaterThan(0);
    await screenshot(page, "stopped");
  });

  appTest(
    "exports a manifest that it imports again, and downloads an elite that can be read",
    async ({ app, page }) => {
      await startFirstTemplate(page, app.url);
      await button(page, "Pause").click();
      const [exported] = await Promise.all([
        page.waitForEvent("download"),
        chooseMore(page, "Export manifest"),
      ]);
      const text = await readFile(await exported.path(), "utf8");
      const manifest = parseManifest(text);
      expect(manifest.environment.name).toBe("CartPole-v1");

      const [elite] = await Promise.all([page.waitForEvent("download"), chooseMore(page, "Download elite")]);
      expect(elite.suggestedFilename()).toMatch(/\.safetensors$/);
      const { agent, environment } = decodeAgent(new Uint8Array(await readFile(await elite.path())), "elite");
      expect(agent.algorithm).toBe(manifest.algorithm.name);
      expect(environment).toBe("CartPole-v1");
      expect(agent.fitness.length).toBeGreaterThan(0);

      await button(page, "Stop and save").click();
      await page.goto(`${app.url}#/`);
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        button(page, "Import manifest").first().click(),
      ]);
      const edited = text.replace(/max_steps: .*/, "max_steps: 1_234");
      expect(edited).not.toBe(text);
      await chooser.setFiles({
        name: "edited.yaml",
        mimeType: "application/yaml",
        buffer: Buffer.from(edited),
      });
      await expect.poll(() => page.locator(".cm-content").innerText()).toContain("1_234");
      await button(page, "Start").waitFor();
      await screenshot(page, "imported");
    },
  );

  appTest("copies a link and code that show the elite at play elsewhere", async ({ app, page }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await startFirstTemplate(page, app.url);
    await button(page, "Stop and save").click();
    await page.getByText("stopped", { exact: true }).first().waitFor();
    const copied = async (entry: string, what: string): Promise<string> => {
      await page.getByRole("button", { name: entry }).click();
      await page.getByText(`${what} copied.`, { exact: true }).waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    await chooseMore(page, "Share champion…");
    const link = await copied("Copy link", "Link to the playing elite");
    await page.getByText("the link opens on this computer only").waitFor();
    const code = await copied("Copy embed code", "Embed code");
    const plays = /CartPole-v1, generation \d+, fitness/;

    await page.goto(link.replace("#/play", "embed.html#/play"));
    await page.getByText(plays).first().waitFor();

    const other = createServer((_, response) =>
      response
        .setHeader("Content-Type", "text/html")
        .end(`<!doctype html><html lang="en"><body>${code}</body></html>`),
    );
    onTestFinished(() => void other.close());
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    // The test's own server listens on a port.
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const frame = page.locator("iframe");
    const inside = page.frameLocator("iframe");
    await inside.getByText(plays).first().waitFor();
    await inside.locator("canvas").first().waitFor();
    expect(await frame.getAttribute("title")).toBe("DQN playing CartPole-v1");
    // All of the player is in view.
    const size = await inside.locator("html").evaluate((html) => [html.scrollWidth, html.scrollHeight]);
    const room = await Promise.all(
      ["width", "height"].map(async (name) => Number(await frame.getAttribute(name))),
    );
    for (const [at, most] of room.entries()) expect(size[at]).toBeLessThanOrEqual(most);
    await screenshot(page, "embedded");
  });

  appTest(
    "trains and plays an environment whose physics is loaded when it is needed",
    async ({ app, page }) => {
      const files: string[] = [];
      page.on("response", (response) => files.push(response.url()));
      await withMotion(page);
      await page.goto(app.url);
      await button(page, "Start").first().waitFor();
      const physics = () => files.filter((url) => /LunarLander/i.test(url));
      expect(physics()).toEqual([]);
      const [chooser] = await Promise.all([
        page.waitForEvent("filechooser"),
        button(page, "Import manifest").first().click(),
      ]);
      const manifest = {
        ...tinyLander({ pop_size: 2 }),
        training: { pop_size: 2, max_steps: 1e7, evo_steps: 128 },
      };
      await chooser.setFiles({
        name: "lander.json",
        mimeType: "application/json",
        buffer: Buffer.from(JSON.stringify(manifest)),
      });
      await page.locator(".cm-content").waitFor();
      await button(page, "Start").click();
      await reach(page, 2);
      expect(physics()).not.toEqual([]);
      await untilWallMoves(page);
      await screenshot(page, "lander");
      await button(page, "Stop and save").click();
    },
  );

  appTest("says what is wrong with a file that is no manifest, and goes on", async ({ app, page }) => {
    await page.goto(app.url);
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      button(page, "Import manifest").first().click(),
    ]);
    await chooser.setFiles({
      name: "notes.yaml",
      mimeType: "application/yaml",
      buffer: Buffer.from("algorithm: {name: DQM}\nenvironment: {name: CartPole-v1}\ntrainin: {}\n"),
    });
    await page.getByText("did you mean", { exact: false }).first().waitFor();
    await screenshot(page, "bad-manifest");
  });
});
