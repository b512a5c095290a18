/** A person's own environment in the built workbench, from the editor to what has learned; and code that means harm. */
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { stringify } from "yaml";
import { ownManifest } from "../../src/ui/ownEnvironment/starter.ts";
import { sharedManifest } from "../../src/ui/pages/editor/sharedManifest.ts";
import { appTest, withMotion } from "./support/app-test.ts";
import { button, own, panel, WAITS_FOR_EVER, write } from "./support/ownEnvironments.ts";
import { isPainted, screenshot } from "./support/screenshot.ts";

/** What the validation says of it. */
async function validated(page: Page): Promise<string> {
  await button(page, "Validate").click();
  const report = panel(page, "Validation");
  await report.locator(".validation__good, .validation__error").first().waitFor();
  return report.innerText();
}

/** What is wrong, the code, and what the report says. */
const FAULTS = [
  ["throws when it is made", own({ open: 'throw new Error("no world");' }), "no world"],
  ["throws in a step", own({ step: 'throw new TypeError("no step");' }), "no step"],
  ["throws what is no error", own({ reset: "throw { toString() { throw 1; } };" }), "reset"],
  ["has another shape", own({ reset: "return { observation: [0, 0], info: {} };" }), "observation"],
  [
    "gives what is no number",
    own({
      step: "return { observation: [NaN], reward: 1, terminated: false, truncated: false, info: {} };",
    }),
    "NaN",
  ],
  [
    "answers with getters",
    own({ reset: "return { get observation() { throw new Error('trap'); }, info: {} };" }),
    "trap",
  ],
  [
    "answers with a huge array",
    own({ reset: "return { observation: new Array(1e8), info: {} };" }),
    "observation",
  ],
  ["imports as it runs", own({ open: 'import("data:text/javascript,1");' }), "a module that imports nothing"],
  ["imports", 'import "./other.js";\nexport default class {}\n', "a module that imports nothing"],
  ["does not parse", "export default class {\n", "line 2"],
] as const;

describe("an environment of one's own", () => {
  appTest("goes from the editor to a policy that holds the pole, over a reload", async ({ app, page }) => {
    await withMotion(page);
    await page.goto(`${app.url}#/environments?new=1`);
    await page.getByText("export default class CartPole", { exact: false }).first().waitFor();
    expect(await validated(page)).toContain("Ready to train");
    await button(page, "Open").click();
    const play = panel(page, "Play");
    await expect.poll(() => play.getByText("Last return").count()).toBe(1);
    await expect.poll(() => isPainted(play.locator("canvas"))).toBe(true);
    await screenshot(page, "environments");
    await page.emulateMedia({ reducedMotion: "reduce" });

    await button(page, "Train").click();
    await page.getByText("No problems. Ready to train.").waitFor();
    const editor = page.getByRole("textbox", { name: "Manifest text" });
    expect(await editor.innerText()).toContain("name: user/cartpole");
    // Two members reach it after six generations, so that the run is far from its end when it is paused.
    const offered = ownManifest({ id: "user/cartpole" });
    const smaller = { ...offered, training: { ...offered.training, pop_size: 2, target_score: 300 } };
    await editor.click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(stringify(smaller));
    await page.getByText("No problems. Ready to train.").waitFor();
    await button(page, "Start").click();
    const generation = page.getByRole("status").filter({ hasText: /^Generation \d+$/ });
    const generations = async () => Number(/\d+/.exec(await generation.innerText())?.[0]);
    await expect.poll(generations).toBeGreaterThanOrEqual(1);
    await button(page, "Pause").click();
    await button(page, "Resume").waitFor();
    const run = page.url();

    // The run has the code that it was started with; what is kept is another matter.
    await page.evaluate(() => {
      window.location.hash = "#/environments?name=cartpole";
    });
    await button(page, "Delete").click();
    await button(page, "Delete permanently").click();
    await page.waitForURL((url) => url.hash === "#/environments");
    await page.goto(run);
    // The page asks before it is left amid a run.
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await button(page, "Resume").click();
    await page.getByText("finished", { exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Config", exact: true }).click();
    await panel(page, "Environment code").getByText("export default class CartPole").waitFor();
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await page.getByText("Ended early: every member's last evaluations").first().waitFor();
    await screenshot(page, "own-cartpole");
  });

  appTest("reaches neither network nor storage nor the page", async ({ app, page, complaints }) => {
    await page.goto(app.url);
    await page.evaluate(() => {
      const heard: unknown[] = [];
      Object.assign(window, { heard });
      const note = ({ data }: MessageEvent): void => void heard.push(data);
      new BroadcastChannel("rlkit").onmessage = note;
      window.addEventListener("message", note);
    });
    const attempts = {
      "fetch of the site": `fetch(${JSON.stringify(app.url)})`,
      "fetch elsewhere": 'fetch("http://127.0.0.1:9/", { mode: "no-cors" })',
      request: `new Promise((yes, no) => { const one = new XMLHttpRequest(); one.onload = yes; one.onerror = no; one.open("GET", ${JSON.stringify(app.url)}); one.send(); })`,
      socket:
        'new Promise((yes, no) => { const one = new WebSocket("ws://127.0.0.1:9"); one.onopen = yes; one.onerror = no; })',
      events: `new Promise((yes, no) => { const one = new EventSource(${JSON.stringify(app.url)}); one.onopen = yes; one.onerror = no; })`,
      "script of the site": `importScripts(${JSON.stringify(`${app.url}theme.js`)})`,
      evaluation: 'new Function("return 1")()',
      database:
        'new Promise((yes, no) => { const one = indexedDB.open("rlkit"); one.onsuccess = yes; one.onerror = no; })',
      files: "navigator.storage.getDirectory()",
      caches: "caches.keys()",
      locks: 'navigator.locks.request("rlkit", () => 1)',
      page: "parent.document",
      window: "window.top",
    };
    const tries = Object.entries(attempts).map(
      ([name, act]) => `await tried(${JSON.stringify(name)}, async () => ${act})`,
    );
    const before = `
      const tried = async (name, act) => {
        try { await act(); return name + ": reached"; } catch { return name + ": refused"; }
      };
      const outcomes = [${tries.join(", ")}];
      new BroadcastChannel("rlkit").postMessage("leaked");
      self.postMessage("leaked");`;
    await write(page, app.url, own({ before, reset: 'throw new Error(outcomes.join("; "));' }));
    const report = await validated(page);
    for (const name of Object.keys(attempts)) expect(report).toContain(`${name}: refused`);
    expect(report).not.toContain("reached");
    // The frame and its workers complained of what was refused, and of nothing else.
    const refused = /Content Security Policy|violates the following|Refused to|net::ERR|access control/i;
    expect(complaints.splice(0).filter((complaint) => !refused.test(complaint))).toEqual([]);
    expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
  });

  appTest.for([
    ["as it is loaded", "for (;;);\nexport default class {}\n"],
    ["in its steps", own({ step: "for (;;);" })],
  ] as const)("that loops for ever %s is given up at once", async ([, code], { app, page }) => {
    await write(page, app.url, code);
    await button(page, "Validate").click();
    const report = panel(page, "Validation");
    await report.getByRole("button", { name: "Cancel", exact: true }).click();
    await report.getByText("Cancelled.", { exact: false }).waitFor();
    await write(page, app.url, own({}));
    expect(await validated(page)).toContain("Ready to train");
  });

  appTest("that loops for ever as it is played is given up at once", async ({ app, page }) => {
    const play = panel(page, "Play");
    await write(page, app.url, own({ open: "for (;;);" }));
    await button(page, "Open").click();
    await play.getByRole("button", { name: "Cancel", exact: true }).click();
    await play.getByText("Opens the current code", { exact: false }).waitFor();
    await write(page, app.url, own({ before: "let n = 0;", step: "for (n += 1; n > 0;);" }));
    await button(page, "Open").click();
    // It hangs in its first step. Opening again does not wait for it.
    await button(page, "Reopen").click();
    await button(page, "Reopen").waitFor();
    await write(page, app.url, own({}));
    await button(page, "Reopen").click();
    await expect.poll(() => play.getByText("Last return").count()).toBe(1);
  });

  appTest("has a report on whatever is wrong with it, and the page stays", async ({ app, page }) => {
    for (const [what, code, said] of FAULTS) {
      await write(page, app.url, code);
      const report = await validated(page);
      expect(report, `${what}`).toContain(said);
      expect(report, `${what}`).not.toContain("no error");
    }
    await write(page, app.url, own({}));
    expect(await validated(page)).toContain("Ready to train");
  });

  appTest(
    "says when its sandbox's page cannot be loaded, and runs when it can",
    async ({ app, page, complaints }) => {
      await page.route("**/sandbox.html", (route) => route.abort());
      await write(page, app.url, own({}));
      const lost = "the sandbox's page could not be loaded";
      expect(await validated(page)).toContain(lost);
      await button(page, "Open").click();
      await panel(page, "Play").getByText(lost, { exact: false }).waitFor();
      await button(page, "Train").click();
      // On the editor's page, which this one gives way to.
      await page.getByText("1 problem", { exact: true }).first().waitFor();
      await expect.poll(() => page.getByRole("main").innerText()).toContain(lost);
      await page.unroute("**/sandbox.html");
      await write(page, app.url, own({}));
      expect(await validated(page)).toContain("Ready to train");
      const said = complaints.splice(0);
      expect(said.filter((complaint) => !complaint.includes("net::ERR_FAILED"))).toEqual([]);
    },
  );

  appTest("that answers no more ends its run, which says so, and the page stays", async ({ app, page }) => {
    // It waits, which takes no processor: loops are given up above. What is opened to be looked at has fewer than a run's lanes.
    const before = `let made = 0; const waits = ${WAITS_FOR_EVER};`;
    await write(page, app.url, own({ before, open: "made += 1; if (made > 6) waits();" }));
    await page.getByLabel("Name", { exact: true }).fill("stuck");
    await button(page, "Save").click();
    await page.getByRole("link", { name: "user/stuck", exact: true }).waitFor();
    const manifest = sharedManifest(`algorithm: { name: PPO }
environment: { name: user/stuck, num_envs: 8 }
training: { max_steps: 512, evo_steps: 256, pop_size: 1, hpo: false }
`);
    await page.goto(`${app.url}#/new?spec=${manifest}`);
    await page.getByText("No problems. Ready to train.").waitFor();
    await button(page, "Start").click();
    await page.getByText("failed", { exact: true }).first().waitFor();
    await page.getByText("no answer within 10 s", { exact: false }).first().waitFor();
    await write(page, app.url, own({}));
    expect(await validated(page)).toContain("Ready to train");
  });
});
