/** A training platform in the built workbench: connecting, submitting, following, fetching. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { decodeKeptAgent } from "../../src/training/files/keptAgent.ts";
import { cartPole } from "../platform/support/cartPole.ts";
import { TestPlatform } from "../platform/support/platform.ts";
import { appTest } from "./support/app-test.ts";
import { chooseMore } from "./support/choose-more.ts";
import { screenshot } from "./support/screenshot.ts";
import { storedTexts } from "./support/stored-texts.ts";

const remoteTest = appTest.extend("platform", { scope: "file" }, async ({ app }, { onCleanup }) => {
  const platform = await TestPlatform.start({ origins: [new URL(app.url).origin] });
  onCleanup(() => platform.close());
  platform.worker();
  return platform;
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const go = (page: Page, hash: string) =>
  page.evaluate((to) => {
    window.location.hash = to;
  }, hash);

async function connect(page: Page, address: string, key: string): Promise<void> {
  await page.getByLabel("Address", { exact: true }).fill(address);
  await page.getByLabel("Key", { exact: true }).fill(key);
  await button(page, "Connect").click();
}

/** Opens a manifest in the editor and submits it. */
async function submit(page: Page, manifest: object): Promise<void> {
  await go(page, "#/new?from=empty");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    button(page, "Import manifest").first().click(),
  ]);
  const buffer = Buffer.from(JSON.stringify(manifest));
  await chooser.setFiles({ name: "run.json", mimeType: "application/json", buffer });
  await page.locator(".cm-content").getByText("CartPole-v1").first().waitFor();
  await button(page, "Train remotely").click();
  await page.locator(".run-head").waitFor();
}

const generationOf = async (page: Page): Promise<number> => {
  const text = await page.locator("main").innerText();
  return Number(/generation\s+(\d+)/i.exec(text)?.[1] ?? 0);
};

describe("the page Remote", () => {
  remoteTest("trains on a platform", async ({ app, page, platform, complaints }) => {
    const key = await platform.key("read", "submit");
    await page.goto(`${app.url}#/remote`);
    await connect(page, platform.url, `${key}x`);
    await page.getByText("does not know this key").waitFor();
    expect(complaints.splice(0).filter((text) => !text.includes("401"))).toEqual([]);
    await screenshot(page, "remote-refused");
    await connect(page, platform.url, key);
    await page.getByText("test (read, submit)").waitFor();
    await page.getByRole("table").waitFor();
    await screenshot(page, "remote-empty");
    await submit(page, { ...cartPole, training: { ...cartPole.training, max_steps: 100_000 } });
    await expect.poll(() => generationOf(page)).toBeGreaterThan(2);
    await screenshot(page, "remote-run");
    await button(page, "Pause").click();
    await button(page, "Resume").waitFor();
    await screenshot(page, "remote-paused");
    await button(page, "Resume").click();
    await button(page, "Stop and save").click();
    await page.locator(".state-badge--stopped").waitFor();
    const [file] = await Promise.all([page.waitForEvent("download"), chooseMore(page, "Download elite")]);
    const elite = new Uint8Array(await readFile(await file.path()));
    expect(decodeKeptAgent(elite).environment).toBe("CartPole-v1");
    await screenshot(page, "remote-stopped");
    const texts = [...(await storedTexts(page)), page.url(), await page.content()];
    expect(texts.filter((text) => text.includes(key))).toEqual([]);
    await go(page, "#/remote");
    await page.getByText("stopped").waitFor();
    await screenshot(page, "remote-list");
  });
});
