/** What evolution is watched for: from a run's page to the elite's parent, what made the elite win, and a link. */
import { describe, expect } from "vitest";
import { sharedManifest } from "../../src/ui/pages/editor/sharedManifest.ts";
import { tinyPpo } from "../workers/support/manifests.ts";
import { appTest } from "./support/app-test.ts";
import { screenshot } from "./support/screenshot.ts";

/** Actions of a person that the way may take. */
const MOST_ACTIONS = 6;

describe("the elite's parent", () => {
  appTest("is few actions away from the run's page, with its link", async ({ app, page }) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    // Pendulum: no two members have the same return, and nobody reaches an end of what can be learnt.
    const manifest = sharedManifest(JSON.stringify(tinyPpo({ pop_size: 4, max_steps: 1e9 })));
    await page.goto(`${app.url}#/new?spec=${manifest}`);
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("region", { name: "Fitness", exact: true }).waitFor();
    const tab = (name: string) =>
      page.getByRole("navigation", { name: "Views of this run" }).getByRole("link", { name, exact: true });
    const elite = page.getByRole("button", { name: "Elite", exact: true });
    const card = page.getByRole("region", { name: /^Agent \d+$/ });
    const parent = card.getByRole("link", { name: /^Agent #\d+$/ });
    const change = card.locator("dl > div").filter({ hasText: /^Mutation/ });

    // The founders have no parents: until a clone that mutated is the best.
    await tab("Lineage").click();
    await expect
      .poll(async () => {
        await elite.click();
        await card.waitFor();
        return (await parent.count()) === 1 && !/unchanged/.test(await change.innerText());
      })
      .toBe(true);
    // With reduced motion nothing is animated, even while a run trains.
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    await page.getByRole("button", { name: "Stop and save", exact: true }).click();
    await page.getByText("stopped", { exact: true }).first().waitFor();
    await tab("Overview").click();

    let actions = 0;
    const act = async (action: Promise<void>): Promise<void> => {
      actions += 1;
      await action;
    };
    await act(tab("Lineage").click());
    await act(elite.click());
    const best = await card.getAttribute("aria-label");
    await change.waitFor();
    expect(await change.innerText()).toMatch(/Mutation\s+\S/);
    expect(await card.innerText()).toContain("Best of its generation");
    await screenshot(page, "elite");
    const name = (await parent.innerText()).replace("#", "");
    expect(name).not.toBe(best);
    await act(parent.click());
    await page.getByRole("region", { name, exact: true }).waitFor();
    await act(page.getByRole("button", { name: "Copy link" }).click());
    await page.getByText("Link copied").waitFor();
    expect(actions).toBeLessThanOrEqual(MOST_ACTIONS);

    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.goto("about:blank");
    await page.goto(link);
    await page.getByRole("region", { name, exact: true }).waitFor();
  });
});
