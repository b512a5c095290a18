/** A model of a hub in the built workbench: shown, downloaded over a connection that breaks, trained, deleted. */
import { expect } from "vitest";
import { FakeHub, TOKEN } from "../hub/support/fakeHub.ts";
import { modelFolder } from "../llm/support/modelFolder.ts";
import { appTest } from "./support/app-test.ts";
import { screenshot } from "./support/screenshot.ts";

const ID = "someone/small-llama";

appTest(
  "a model of the hub is shown before it is downloaded, and then trained",
  async ({ app, page, complaints }) => {
    const hub = await FakeHub.open();
    try {
      const files = Object.fromEntries(modelFolder());
      hub.repositories.set(`models/${ID}`, { files, licence: "apache-2.0", gated: true });
      await page.goto(`${app.url}#/storage`);
      const panel = page.getByRole("region", { name: "Models of the Hugging Face hub", exact: true });
      await panel.getByLabel("Model ID").fill(ID);
      await panel.getByLabel("Hub address").fill(hub.address);
      await panel.getByRole("button", { name: "Show", exact: true }).click();
      await panel.getByRole("alert").getByText("is gated: its owner grants access to single users").waitFor();
      await panel.getByLabel("Token").fill(TOKEN);
      await panel.getByRole("button", { name: "Show", exact: true }).click();
      await panel.getByText("apache-2.0, gated").waitFor();
      expect(hub.loaded.filter((path) => path !== "config.json")).toEqual([]);
      await screenshot(page, "hub-model");

      let breaks = 1;
      hub.cut = (path) => (path.endsWith(".safetensors") && breaks-- > 0 ? 2000 : null);
      await panel.getByRole("button", { name: "Download", exact: true }).click();
      const models = page.getByRole("region", { name: "Models", exact: true });
      const row = models.getByRole("row").filter({ hasText: ID });
      await row.waitFor();
      expect(hub.requests.filter(({ host, token }) => host === "cdn" && token !== null)).toEqual([]);

      await row.getByRole("button", { name: "Train", exact: true }).click();
      await page.locator(".cm-content").getByText(ID).first().waitFor();
      await page.getByRole("button", { name: "Start", exact: true }).click();
      const status = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
      await expect
        .poll(async () => Number(/\d+/.exec(await status.innerText())?.[0]))
        .toBeGreaterThanOrEqual(1);
      await page.getByRole("button", { name: "Stop and save", exact: true }).click();
      await page.getByText("stopped", { exact: true }).first().waitFor();

      await page.goto(`${app.url}#/storage`);
      await row.getByRole("button", { name: "Delete", exact: true }).click();
      await row.getByRole("button", { name: "Delete permanently" }).click();
      await row.waitFor({ state: "detached" });
      // The browser tells of what the servers did.
      expect(complaints.splice(0).filter((said) => !/401|ERR_/.test(said))).toEqual([]);
    } finally {
      hub.close();
    }
  },
);
