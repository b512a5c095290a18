/** A run in a game: its league, and a match against its best agent. */
import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { sharedManifest } from "../../src/ui/pages/editor/sharedManifest.ts";
import { appTest } from "./support/app-test.ts";
import { faults } from "./support/axe-faults.ts";
import { chooseMore } from "./support/choose-more.ts";
import { screenshot } from "./support/screenshot.ts";

const MANIFEST = `
algorithm: { name: PPO, learn_step: 256, batch_size: 64, update_epochs: 2 }
environment: { name: rlkit/TicTacToe, num_envs: 8 }
training: { max_steps: 2048, evo_steps: 1024, pop_size: 2, seed: 1 }
network: { arch: mlp, latent_dim: 16, encoder_config: { hidden_size: [16] }, head_config: { hidden_size: [16] } }
`;

/** Moves until the match has ended. */
async function playOut(page: Page): Promise<string> {
  const result = page.getByText(/^(?:You win|You lose|A draw)/);
  const turn = page.getByText("Your turn.", { exact: true });
  for (;;) {
    await result.or(turn).first().waitFor();
    if (await result.isVisible()) return result.innerText();
    await page
      .getByRole("button", { name: /legal move/ })
      .first()
      .click();
    await result
      .or(page.getByText(/opponent's turn/))
      .first()
      .waitFor();
  }
}

describe("a run in a game", () => {
  appTest("has a league, and an agent that plays against the user", async ({ app, page }) => {
    await page.goto(`${app.url}#/new?spec=${sharedManifest(MANIFEST)}`);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByText(/^Finished/).waitFor();
    await page.getByText(/Each member plays both sides\./).waitFor();
    const league = page.getByRole("region", { name: "League", exact: true }).first();
    await league.getByRole("row", { name: /Random moves/ }).waitFor();
    await league.getByText(/^One-step rule: not beaten yet\.|^One-step rule: first beaten/).waitFor();
    expect(await page.getByRole("heading", { name: "Rating", exact: true }).count()).toBe(1);
    await page.getByRole("link", { name: "Play it" }).click();
    await page.getByRole("button", { name: "Hints" }).click();
    await page.getByText(/probabilities with which/).waitFor();
    expect(await page.getByRole("button", { name: /legal move, \d+%$/ }).count()).toBe(9);
    expect(await faults(page)).toEqual([]);
    await screenshot(page, "game");
    expect(await playOut(page)).toMatch(/after [5-9] moves\.$/);
    await page.getByRole("button", { name: "New game" }).click();
    await page.getByText("Your turn.", { exact: true }).waitFor();
    // A link to the agent opens a board, too, on which the visitor may be second.
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await chooseMore(page, "Share champion…");
    await page.getByRole("button", { name: "Copy link" }).click();
    await page.getByText("Link to the playing elite copied.", { exact: true }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download play file" }).click(),
    ]);
    const file = path.join(mkdtempSync(path.join(tmpdir(), "rlkit-play-")), download.suggestedFilename());
    await download.saveAs(file);
    expect(statSync(file).size).toBeLessThanOrEqual(400_000);
    await page.goto(link);
    await page
      .getByRole("group", { name: "First move" })
      .getByRole("button", { name: "Opponent", exact: true })
      .click();
    expect(await playOut(page)).toMatch(/after [5-9] moves\.$/);
    expect(await faults(page)).toEqual([]);
    // The file plays from the disk: by mouse, and by keys after the agent's first move.
    await page.goto(pathToFileURL(file).href);
    expect(await playOut(page)).toMatch(/after [5-9] moves\.$/);
    expect(await faults(page)).toEqual([]);
    await screenshot(page, "game in a play file");
    await page.getByRole("button", { name: "Let the agent begin" }).click();
    await page.getByText("Your turn.", { exact: true }).waitFor();
    const cells = page.getByRole("grid").getByRole("button");
    await cells.first().focus();
    for (const key of ["ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
    expect(await page.locator(":focus").getAttribute("aria-label")).toBe(
      await cells.nth(4).getAttribute("aria-label"),
    );
    await page
      .getByRole("button", { name: /legal move/ })
      .first()
      .focus();
    await page.keyboard.press("Enter");
    const own = page.getByRole("button", { name: /your stone/ });
    await own.waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    expect(await own.count()).toBe(0);
  });
});
