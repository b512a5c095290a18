/** A training platform in the built workbench: connecting, submitting, following, fetching. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright";
import { describe, expect, onTestFinished } from "vitest";
import { decodeKeptAgent } from "../../src/training/files.ts";
import { cartPole, trainedInZip } from "../platform/support/cartPole.ts";
import { TestPlatform } from "../platform/support/platform.ts";
import { appTest } from "./support/app-test.ts";
import { faults } from "./support/axe-faults.ts";
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

/** Goes to a place of the page without loading it again. */
const go = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    window.location.hash = to;
  }, hash);

async function connect(page: Page, address: string, key: string): Promise<void> {
  await page.getByLabel("Address", { exact: true }).fill(address);
  await page.getByLabel("Key", { exact: true }).fill(key);
  await button(page, "Connect").click();
}

async function openConnected(page: Page, url: string, platform: TestPlatform): Promise<string> {
  const key = await platform.key("read", "submit");
  await page.goto(`${url}#/remote`);
  await connect(page, platform.url, key);
  await page.getByText("test (read, submit)").waitFor();
  return key;
}

/** Never at its end. Its generations are long, because the page draws each of them. */
const ENDLESS = { max_steps: 10_000_000, evo_steps: 1000 };

/** Opens a manifest with these settings in the editor and submits it. */
async function submit(page: Page, training: object): Promise<void> {
  const manifest = { ...cartPole, training: { ...cartPole.training, ...training } };
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

/** The generation that the run's page shows; 0 before the first. */
async function generationOf(page: Page): Promise<number> {
  const text = await page.locator(".scrubber__latest").innerText();
  return Number(/generation\s+([\d,]+)\s*$/i.exec(text.trim())?.[1]?.replaceAll(",", "") ?? 0);
}

async function download(page: Page, act: () => Promise<void>): Promise<Uint8Array> {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  return new Uint8Array(await readFile(await file.path()));
}

describe("the page Remote", () => {
  remoteTest("trains on a platform, and plays what it made", async ({ app, page, platform }) => {
    const key = await openConnected(page, app.url, platform);
    await page.getByRole("table", { name: "" }).getByText("cpu").waitFor();
    await submit(page, ENDLESS);
    await expect.poll(() => generationOf(page)).toBeGreaterThan(2);
    await button(page, "Pause").click();
    await page.locator(".state-badge--paused").waitFor();
    const held = await generationOf(page);
    await button(page, "Resume").click();
    await expect.poll(() => generationOf(page)).toBeGreaterThan(held);
    await button(page, "Stop and save").click();
    await page.locator(".state-badge--stopped").waitFor();

    const id = decodeURIComponent(new URL(page.url()).hash.split("/").at(-1) ?? "").replace("remote:", "");
    const asked = await fetch(`${platform.url}/v1/runs/${id}/elite.safetensors`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const elite = await download(page, () => chooseMore(page, "Download elite"));
    expect(elite).toEqual(new Uint8Array(await asked.arrayBuffer()));
    await page.getByRole("link", { name: "Checkpoints", exact: true }).click();
    const zip = await download(page, () => button(page, "Download zip").first().click());
    const inZip = (await trainedInZip(zip)).get("elite.safetensors") ?? new Uint8Array();
    // In a checkpoint, agents do not say what they play in.
    expect(decodeKeptAgent(inZip).agent).toEqual(decodeKeptAgent(elite).agent);
    await button(page, "Play").first().click();
    const player = page.getByRole("region", { name: "Checkpoint playing" });
    await player.locator("canvas").waitFor();
    await expect.poll(() => player.innerText()).toMatch(/return/i);
    for (const name of ["Rename", "Delete", "Fork", "Run again"])
      expect(await button(page, name).count()).toBe(0);

    const texts = [...(await storedTexts(page)), page.url(), await page.content()];
    expect(texts.filter((text) => text.includes(key))).toEqual([]);
    await go(page, "#/");
    await page.getByRole("button", { name: "Watch 8 agents learn" }).waitFor();
    const listed = page.getByRole("region", { name: "Platform runs", exact: true });
    await listed.getByText("stopped", { exact: true }).waitFor();
    await listed.locator(`a[href*="${id}"]`).waitFor();
    await page.reload();
    await page.goto(`${app.url}#/runs/remote%3A${id}`);
    await page.getByText("This run is on a remote platform").waitFor();
    await page.getByRole("link", { name: "Go to Remote" }).click();
    await page.getByLabel("Key", { exact: true }).waitFor();
    expect(await page.getByLabel("Key", { exact: true }).inputValue()).toBe("");
  });

  remoteTest("follows a run over a restart of the server", async ({ app, page, platform, complaints }) => {
    await openConnected(page, app.url, platform);
    await submit(page, ENDLESS);
    await expect.poll(() => generationOf(page)).toBeGreaterThan(1);
    const comeBack = await platform.leave();
    await page.getByText("Reconnecting").waitFor();
    await screenshot(page, "remote reconnecting");
    const before = await generationOf(page);
    await comeBack();
    await page.getByText("Reconnecting").waitFor({ state: "detached" });
    await expect.poll(() => generationOf(page)).toBeGreaterThan(before);
    await button(page, "Stop and save").click();
    await page.locator(".state-badge--stopped").waitFor();
    // The browser says on its console that nothing answered.
    expect(complaints.splice(0).filter((complaint) => !complaint.includes("net::ERR_"))).toEqual([]);
  });

  remoteTest("says why a platform lets nobody in", async ({ app, page, platform, complaints }) => {
    const server = createServer((_, response) => void response.end("hello"));
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const close = () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      });
    onTestFinished(close);
    await page.goto(`${app.url}#/remote`);
    const alert = page.getByRole("alert");
    await connect(page, platform.url, "rk_wrong_secret");
    await alert.getByText("does not know this key").waitFor();
    await connect(page, address, "rk_any_secret");
    await alert.getByText(`Start the platform with --origin ${new URL(app.url).origin}.`).waitFor();
    await close();
    await connect(page, address, "rk_any_secret");
    await alert.getByText(`${address} does not answer.`).waitFor();
    await connect(page, "platform.example", "rk_any_secret");
    await alert.getByText("allowed an http or https address").waitFor();
    const own = /401|CORS|net::ERR_/;
    expect(complaints.splice(0).filter((complaint) => !own.test(complaint))).toEqual([]);
  });

  remoteTest("can be used by everybody, light and wide, dark and narrow", async ({ app, page, platform }) => {
    const look = async (name: string): Promise<void> => {
      // What says that something loads fades in, with too little contrast until it is there.
      await expect.poll(() => page.locator(".loading").count()).toBe(0);
      expect(await faults(page), `${name}`).toEqual([]);
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wider, `${name}`).toBeLessThanOrEqual(0);
    };
    let run: string | undefined;
    for (const [colorScheme, width] of [
      ["light", 1440],
      ["dark", 390],
    ] as const) {
      const looks = `${colorScheme} ${width}`;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${app.url}#/remote`);
      // A page that is loaded again knows no key.
      await page.reload();
      await page.getByLabel("Key", { exact: true }).waitFor();
      await look(`connect ${looks}`);
      await openConnected(page, app.url, platform);
      if (run === undefined) await submit(page, { max_steps: 400 });
      else await go(page, run);
      run = new URL(page.url()).hash;
      await page.locator(".state-badge--finished").waitFor();
      await look(`run ${looks}`);
      await screenshot(page, `remote run ${looks}`);
      await go(page, "#/remote");
      await page.getByRole("table").getByText("finished").first().waitFor();
      await look(`list ${looks}`);
      await go(page, "#/new?from=draft");
      await button(page, "Train remotely").waitFor();
      await look(`editor ${looks}`);
    }
  });
});
