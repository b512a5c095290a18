/** Data sets in the built workbench: one that is dropped is learned from, one comes from a hub that breaks off. */
import { mkdir, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { type MinariFiles, minariFiles, recordEpisodes } from "../../src/datasets/record.ts";
import { make } from "../../src/rl/environments.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";
import { appTest } from "./support/app-test.ts";
import { chooseMore } from "./support/choose-more.ts";
import { dropPath } from "./support/drop-path.ts";
import { screenshot } from "./support/screenshot.ts";

const ID = "cartpole/random-v0";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const recorded = async (): Promise<MinariFiles> =>
  minariFiles(
    await recordEpisodes({
      env: make("CartPole-v1"),
      environment: "CartPole-v1",
      actor: null,
      algorithm: "random",
      steps: 400,
      seed: 3,
    }),
    { dataset_id: ID },
  );

/** A hub that stops amid the first answer with the large file, until it is told to break off. */
async function serveHub(files: MinariFiles) {
  const main = files["main_data.hdf5"];
  const asked: (string | undefined)[] = [];
  let stopped: ServerResponse | null = null;
  const server = createServer(({ method, url, headers }, response) => {
    const answers = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "range, if-range",
      "access-control-expose-headers": "content-range, etag",
      etag: '"one"',
    };
    if (method === "OPTIONS") return response.writeHead(204, answers).end();
    if (!url?.includes("farama-minari/cartpole/resolve/main/random-v0/"))
      return response.writeHead(404, answers).end();
    if (url.endsWith("metadata.json")) return response.writeHead(200, answers).end(files["metadata.json"]);
    asked.push(headers.range);
    const start = Number(/bytes=(\d+)-/.exec(headers.range ?? "")?.[1] ?? 0);
    const range = { "content-range": `bytes ${start}-${main.length - 1}/${main.length}` };
    response.writeHead(start > 0 ? 206 : 200, {
      ...answers,
      ...(start > 0 ? range : {}),
      "content-length": main.length - start,
    });
    if (start > 0) return response.end(main.subarray(start));
    stopped = response;
    response.write(main.subarray(0, main.length / 2));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  // What a page has not read yet when a connection breaks is lost, and then it has nothing to resume.
  const breakOff = (): void => void stopped?.destroy();
  return { breakOff, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, close };
}

describe("data sets in the workbench", () => {
  appTest("are dropped, looked at, learned from, recorded and deleted", ({ app, page }) =>
    withTemporaryDirectory(async (directory) => {
      const folder = path.join(directory, "random-v0");
      await mkdir(path.join(folder, "data"), { recursive: true });
      for (const [name, bytes] of Object.entries(await recorded()))
        await writeFile(path.join(folder, "data", name), bytes);

      await page.goto(`${app.url}#/data`);
      const sets = page.getByRole("region", { name: "Data sets", exact: true });
      await sets.getByText("Drop a Minari folder").waitFor();
      await dropPath(page, folder, sets);
      await sets.getByRole("link", { name: ID, exact: true }).click();
      await page.getByRole("heading", { name: ID, level: 1 }).waitFor();
      await page.getByRole("region", { name: "Visited states" }).waitFor();
      // Of two choices the largest is 1.
      await page.getByText("Actions from 0 to 1;").waitFor({ state: "attached" });
      await page.getByRole("region", { name: "Summary" }).getByText("400", { exact: true }).waitFor();
      await screenshot(page, "data-set");

      await button(page, "Train").click();
      await page.locator(".cm-content").getByText(`datasets/${ID}`).first().waitFor();
      await button(page, "Start").click();
      const status = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
      await expect
        .poll(async () => Number(/\d+/.exec(await status.innerText())?.[0]))
        .toBeGreaterThanOrEqual(2);
      await button(page, "Stop and save").click();
      await page.getByText("stopped", { exact: true }).first().waitFor();
      const run = page.url();

      await chooseMore(page, "Record data set…");
      const dialog = page.getByRole("dialog", { name: "Record a data set" });
      await dialog.getByLabel("Name").fill("cartpole/mine-v0");
      await dialog.getByLabel("Steps").fill("200");
      const download = page.waitForEvent("download");
      await dialog.getByRole("button", { name: "Record and download" }).click();
      expect((await download).suggestedFilename()).toBe("cartpole-mine-v0.zip");
      await page.getByRole("heading", { name: "cartpole/mine-v0", level: 1 }).waitFor();

      await page.goto(`${app.url}#/data`);
      const row = sets.getByRole("row").filter({ hasText: ID });
      await row.getByRole("button", { name: "Delete", exact: true }).click();
      await row.getByRole("alert").getByText("needs this data set to resume").waitFor();
      await row.getByRole("button", { name: "Delete permanently" }).click();
      await row.waitFor({ state: "detached" });
      await page.goto(run);
      await button(page, "Resume").click();
      await page.getByRole("alert").getByText(`datasets/${ID}: is not stored in this browser`).waitFor();
    }),
  );

  appTest("are made as samples, and a language model learns from the chats", async ({ app, page }) => {
    await page.goto(`${app.url}#/data`);
    const chats = page.getByRole("listitem").filter({ hasText: "Short chats" });
    await chats.getByRole("button", { name: "Make and open" }).click();
    await page.getByRole("heading", { name: "chats", level: 1 }).waitFor();
    await button(page, "Train").click();
    await page.getByText("No problems. Ready to train.").waitFor();
    await button(page, "Start").click();
    const status = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
    await expect
      .poll(async () => Number(/\d+/.exec(await status.innerText())?.[0]))
      .toBeGreaterThanOrEqual(1);
    await button(page, "Stop and save").click();
    await page.getByText("stopped", { exact: true }).first().waitFor();
  });

  appTest(
    "come from a hub, which may break off and be asked for what it lacks",
    async ({ app, page, complaints }) => {
      const hub = await serveHub(await recorded());
      try {
        await page.goto(`${app.url}#/data`);
        const panel = page.getByRole("region", { name: "From the hub" });
        await panel.getByLabel("Hub address").fill(hub.url);
        await panel.getByLabel("Data set ID").fill("cartpole/other-v0");
        await button(page, "Download").click();
        await panel.getByRole("alert").getByText("the server answered 404").waitFor();
        await button(page, "Dismiss").click();
        await panel.getByLabel("Data set ID").fill(ID);
        await button(page, "Download").click();
        await panel.getByText(/^\d.* of \d/).waitFor();
        hub.breakOff();
        await page.getByRole("link", { name: ID, exact: true }).waitFor();
        const [first, ...others] = hub.asked;
        expect(first).toBeUndefined();
        expect(others.at(-1)).toMatch(/^bytes=[1-9]\d*-$/);
        // The browser tells of what the servers did.
        expect(complaints.splice(0).filter((said) => !/404|ERR_/.test(said))).toEqual([]);
      } finally {
        hub.close();
      }
    },
  );
});
