/** Trackers and downloads of metrics in the built app. */
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { describe, expect, onTestFinished } from "vitest";
import { allowing, FakeMlflow, type FakeServer, fakeServer } from "../tracking/fakeServer.ts";
import { readEvents } from "../tracking/readEvents.ts";
import { tinyDqn } from "../workers/support/manifests.ts";
import { appTest } from "./support/app-test.ts";
import { chooseMore } from "./support/choose-more.ts";
import { storedTexts } from "./support/stored-texts.ts";

const KEY = "b7e14588f3a9c0d2a6c1d0e9b4f72365aabbccdd";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function server(answer: Parameters<typeof fakeServer>[0]): Promise<FakeServer> {
  const made = await fakeServer(answer);
  onTestFinished(() => made.close());
  return made;
}

/** Starts a run that goes on for long, told to MLflow. */
async function startTracked(page: Page, url: string, { address }: FakeServer): Promise<void> {
  await page.goto(url);
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    button(page, "Import manifest").first().click(),
  ]);
  const manifest = JSON.stringify(tinyDqn({ pop_size: 2, max_steps: 1e7 }));
  await chooser.setFiles({ name: "run.json", mimeType: "application/json", buffer: Buffer.from(manifest) });
  await page.locator(".cm-content").waitFor();
  await page.getByLabel("Tracker", { exact: true }).selectOption("MLflow");
  await page.getByLabel("Address", { exact: true }).fill(address);
  await page.getByLabel("Key", { exact: true }).fill(KEY);
  await button(page, "Start").click();
}

async function download(page: Page, name: string): Promise<{ name: string; bytes: Uint8Array }> {
  const [file] = await Promise.all([page.waitForEvent("download"), chooseMore(page, name)]);
  return { name: file.suggestedFilename(), bytes: new Uint8Array(await readFile(await file.path())) };
}

describe("the workbench", () => {
  appTest(
    "tells a server that allows it, keeps the key nowhere, and hands out the rows",
    async ({ app, page }) => {
      const said: string[] = [];
      page.on("console", (message) => said.push(message.text()));
      const mlflow = new FakeMlflow();
      const { origin } = new URL(app.url);
      const own = await server((asked) => allowing(origin, asked, () => mlflow.answer(asked)));
      await startTracked(page, app.url, own);
      const steps = () => mlflow.metrics.get("train/global_step") ?? [];
      await expect.poll(() => steps().length).toBeGreaterThan(2);
      await button(page, "Stop and save").click();
      await expect.poll(() => mlflow.status).toBe("FINISHED");
      const asked = own.asked.filter(({ method }) => method !== "OPTIONS");
      expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${KEY}`]));

      const csv = await download(page, "Download CSV");
      expect(csv.name).toBe("CartPole-v1-DQN-metrics.csv");
      const [header = "", ...lines] = new TextDecoder().decode(csv.bytes).trimEnd().split("\r\n");
      const at = header.split(",").indexOf("train/global_step");
      expect(lines.map((line) => Number(line.split(",")[at]))).toEqual(steps().map(({ value }) => value));
      const events = await download(page, "Download events");
      expect(events.name).toMatch(/^events\.out\.tfevents\./);
      const [version, ...rows] = readEvents(events.bytes);
      expect(version?.file_version).toBe("brain.Event:2");
      expect(rows.map(({ step }) => step)).toEqual(steps().map(({ value }) => value));

      const texts = [
        ...(await storedTexts(page)),
        ...said,
        page.url(),
        ...own.asked.map(({ url, body }) => url + body),
      ];
      expect(texts.some((text) => text.includes("CartPole-v1"))).toBe(true);
      expect(texts.filter((text) => text.includes(KEY))).toEqual([]);
      await page.reload();
      await button(page, "Resume").waitFor();
      await page.goto(`${app.url}#/new?from=empty`);
      await expect.poll(() => page.getByLabel("Tracker", { exact: true }).inputValue()).toBe("");
    },
  );

  appTest("names the ways out where a server does not allow it", async ({ app, page, complaints }) => {
    const mlflow = new FakeMlflow();
    const own = await server((asked) => mlflow.answer(asked));
    await startTracked(page, app.url, own);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    const { origin } = new URL(app.url);
    const text = await alert.innerText();
    expect(text).toContain(`${own.address} does not allow requests of pages from ${origin}. Two ways out: `);
    expect(text).not.toContain(KEY);
    expect(own.asked.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    // Some browsers say so on the console too.
    expect(complaints.splice(0).filter((complaint) => !complaint.includes("CORS"))).toEqual([]);
    await page.goto(app.url);
    await page.getByRole("button", { name: "Watch 8 agents learn" }).waitFor();
  });
});
