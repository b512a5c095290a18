/** Films and posters of a run, as files of the right kind and length. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { appTest } from "./support/app-test.ts";
import { faults } from "./support/axe-faults.ts";
import { holdRun } from "./support/hold-run.ts";
import { screenshot } from "./support/screenshot.ts";

/** Boxes of an MP4 file that hold others. */
const HOLDERS = ["moov", "trak", "mdia", "minf", "stbl"];

/** The boxes of an MP4 file by name, those inside others too; later ones of a name are left out. */
function boxesOf(file: Buffer, from = 0, to = file.length, found = new Map<string, Buffer>()) {
  for (let at = from; at < to; ) {
    const size = file.readUInt32BE(at);
    const name = file.toString("latin1", at + 4, at + 8);
    if (!found.has(name)) found.set(name, file.subarray(at, at + size));
    if (HOLDERS.includes(name)) boxesOf(file, at + 8, at + size, found);
    at += size;
  }
  return found;
}

/** The duration of each picture of a GIF, hundredths of a second. */
function gifDelays(file: Buffer): readonly number[] {
  const delays: number[] = [];
  const MARK = Buffer.from([0x21, 0xf9, 0x04]);
  for (let at = file.indexOf(MARK); at >= 0; at = file.indexOf(MARK, at + 8))
    if (file[at + 7] === 0) delays.push(file.readUInt16LE(at + 4));
  return delays;
}

/** Opens the dialog on the page of a run that has trained for some generations, and is held. */
async function openDialog(page: Page, url: string, generations = 1): Promise<void> {
  await page.goto(url);
  await page.getByRole("button", { name: "Watch 8 agents learn" }).click();
  const latest = async (): Promise<number> =>
    Number(/Generation (\d+)/.exec(await page.locator(".scrubber__latest").innerText())?.[1] ?? 0);
  await expect.poll(latest).toBeGreaterThanOrEqual(generations);
  await holdRun(page);
  await page.getByRole("button", { name: "Film", exact: true }).click();
  await page.getByRole("dialog", { name: "Film this run" }).waitFor();
}

async function made(page: Page, kind: string): Promise<Buffer> {
  await page.getByLabel("File").selectOption(kind);
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Make and save" }).click(),
  ]);
  await page.getByText(/^Saved ppo-cartpole\./).waitFor();
  return readFileSync(await file.path());
}

describe("a film of a run", () => {
  appTest("is a video, a GIF or a poster, made in a worker", async ({ app, page }) => {
    await openDialog(page, app.url, 3);
    expect(await faults(page)).toEqual([]);
    await screenshot(page, "film dialog");

    const mp4 = boxesOf(await made(page, "mp4"));
    const header = mp4.get("mvhd");
    const sizes = mp4.get("stsz");
    if (header === undefined || sizes === undefined) throw new Error(`only ${[...mp4.keys()].join(", ")}`);
    const seconds = header.readUInt32BE(24) / header.readUInt32BE(20);
    expect(seconds).toBeGreaterThan(17);
    expect(seconds).toBeLessThanOrEqual(30);
    expect(sizes.readUInt32BE(16)).toBe(Math.round(20 * seconds));
    expect(mp4.get("mdat")?.length).toBeLessThan(8_000_000);

    await page.getByLabel("Shape").selectOption("tall");
    const tall = boxesOf(await made(page, "mp4")).get("stsd");
    // Of the first sample entry, after the headers of the box and the entry.
    expect([tall?.readUInt16BE(48), tall?.readUInt16BE(50)]).toEqual([1080, 1920]);
    await page.getByLabel("Shape").selectOption("wide");

    const gif = await made(page, "gif");
    expect(gif.toString("latin1", 0, 6)).toBe("GIF89a");
    expect([gif.readUInt16LE(6), gif.readUInt16LE(8)]).toEqual([640, 360]);
    const delays = gifDelays(gif);
    expect(delays.every((delay) => delay === 10)).toBe(true);
    expect(delays).toHaveLength(Math.round(10 * seconds));
    expect(gif.length).toBeLessThan(8_000_000);

    const png = await made(page, "poster");
    expect(png.toString("latin1", 1, 4)).toBe("PNG");
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1920, 2560]);
  });

  appTest("ends with its dialog, and leaves nothing behind", async ({ app, page }) => {
    await openDialog(page, app.url);
    let files = 0;
    page.on("download", () => files++);
    const [begun, ended] = [new Set<object>(), new Set<object>()];
    page.on("worker", (worker) => {
      begun.add(worker);
      worker.once("close", () => void ended.add(worker));
    });
    // Within the page, because a film may be ready before a click from outside arrives.
    await page.evaluate(() => {
      const cancel = new MutationObserver(() => {
        if (!document.body.innerText.includes("Drawing and encoding…")) return;
        cancel.disconnect();
        for (const button of document.querySelectorAll("button"))
          if (button.textContent === "Cancel") button.click();
      });
      cancel.observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await page.getByRole("button", { name: "Make and save" }).click();
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
    await expect.poll(() => begun.size > 0 && ended.size === begun.size).toBe(true);
    expect(files).toBe(0);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  appTest("is a GIF where nothing encodes videos", async ({ app, page }) => {
    await page.addInitScript("delete globalThis.VideoEncoder");
    await openDialog(page, app.url);
    const labels = await page.getByLabel("File").locator("option").allInnerTexts();
    expect(labels).toEqual(["Film: GIF", "Poster: PNG of the family tree and the champion"]);
  });
});
