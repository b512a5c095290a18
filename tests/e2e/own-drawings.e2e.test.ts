/** Members of a run in a person's own environment at play on the wall of the built workbench, as its `render` draws them. */
import type { Page } from "playwright";
import { describe, expect } from "vitest";
import { STARTER } from "../../src/ui/ownEnvironment/starter.ts";
import { sharedManifest } from "../../src/ui/pages/editor/sharedManifest.ts";
import { appTest, withMotion } from "./support/app-test.ts";
import { button, own, panel, WAITS_FOR_EVER, write } from "./support/ownEnvironments.ts";
import { screenshot } from "./support/screenshot.ts";

/** Red, green and blue of what no other drawing here has. */
const MAGENTA = [255, 0, 255] as const;

const drawnBy = (statements: string): string =>
  STARTER.replace("  render(context, { width, height }) {", `$&\n    ${statements}`);

/** CartPole before a floor of a colour of its own. */
const PAINTED = drawnBy(
  `context.fillStyle = "rgb(${MAGENTA.join(", ")})"; context.fillRect(0, height * 0.75, width, height); context.fillStyle = "#000";`,
);

/** Keeps a text and trains in it. */
async function trained(page: Page, url: string, code: string, training: string): Promise<void> {
  await withMotion(page);
  await write(page, url, code);
  await page.getByLabel("Name", { exact: true }).fill("drawn");
  await button(page, "Save").click();
  await page.getByRole("link", { name: "user/drawn", exact: true }).waitFor();
  const manifest = sharedManifest(`algorithm: { name: PPO }
environment: { name: user/drawn, num_envs: 4 }
training: { ${training}, hpo: false }
`);
  await page.goto(`${url}#/new?spec=${manifest}`);
  await page.getByText("No problems. Ready to train.").waitFor();
  await button(page, "Start").click();
}

const SHORT = "max_steps: 2048, evo_steps: 512, pop_size: 2";
const LONG = "max_steps: 10000000, evo_steps: 1024, pop_size: 4";

/** The pictures of a stage: how many pixels have the colour, and a number that differs where they do. */
const looked = (page: Page, stage: string) =>
  page.locator(`${stage} canvas`).evaluate((canvas: HTMLCanvasElement, [red, green, blue]) => {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
    copy?.drawImage(canvas, 0, 0);
    const { data = new Uint8ClampedArray() } = copy?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
    let [painted, sum] = [0, 0];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) painted += 1;
      sum = (Math.imul(sum, 31) + (data[i] ?? 0)) | 0;
    }
    return { painted: painted / Math.max(1, data.length / 4), sum };
  }, MAGENTA);

/** Workers of the sandboxes' frame. */
const sandboxes = (page: Page): number =>
  page.workers().filter((worker) => worker.url().startsWith("blob:null")).length;

const finished = (page: Page) => page.getByText("finished", { exact: true }).first().waitFor();

describe("a run in an environment with a drawing of its own", () => {
  appTest(
    "shows its members at play as the drawing draws them, one of them large too",
    async ({ app, page }) => {
      await trained(page, app.url, PAINTED, LONG);
      await page.locator('.wall__stage[data-moving="true"]').waitFor();
      await expect.poll(async () => (await looked(page, ".wall__canvas")).painted).toBeGreaterThan(0.1);
      const seen = new Set<number>();
      await expect
        .poll(async () => seen.add((await looked(page, ".wall__canvas")).sum).size)
        .toBeGreaterThan(5);
      await screenshot(page, "own-drawings-wall");

      await page.getByRole("list", { name: "Members playing" }).getByRole("button").first().click();
      const dialog = page.getByRole("dialog");
      const reading = async (name: string): Promise<string> =>
        dialog.locator(".player__readout div", { hasText: name }).locator("dd").first().innerText();
      await expect.poll(() => reading("Step")).toMatch(/^\d/);
      await dialog.getByRole("button", { name: "Pause" }).click();
      await dialog.getByLabel("Seed").fill("77");
      await dialog.getByRole("button", { name: "Restart" }).click();
      await expect.poll(() => reading("Step")).toBe("0");
      await dialog.getByRole("button", { name: "Step" }).click();
      await expect.poll(() => reading("Step")).toBe("1");
      await expect.poll(async () => (await looked(page, ".player__canvas")).painted).toBeGreaterThan(0.1);
      await screenshot(page, "own-drawings-player");
      await dialog.getByRole("button", { name: "Close" }).click();
      await dialog.waitFor({ state: "detached" });
      // Who plays no more leaves no sandbox behind.
      const before = sandboxes(page);
      await page.getByRole("link", { name: "Settings", exact: true }).click();
      await expect.poll(() => sandboxes(page)).toBeLessThanOrEqual(before - 4);
    },
  );

  appTest("ends as any other where the drawing never ends, and says so", async ({ app, page }) => {
    // It waits: what is busy for ever is given up in own-environments.e2e.test.ts.
    await trained(page, app.url, drawnBy(`(${WAITS_FOR_EVER})();`), SHORT);
    const trouble = page.locator(".wall__trouble");
    await trouble.getByText("user/drawn: render: found no answer within 10 s", { exact: false }).waitFor();
    await finished(page);
    await screenshot(page, "own-drawings-loop");
  });

  appTest(
    "ends as any other where the drawing throws amid an episode, and its tiles say so",
    async ({ app, page }) => {
      await trained(page, app.url, drawnBy('if (this.steps > 2) throw new Error("no picture");'), SHORT);
      const wall = page.getByRole("list", { name: "Members playing" });
      await wall.getByText("user/drawn: render: threw Error: no picture", { exact: false }).first().waitFor();
      await finished(page);
      await screenshot(page, "own-drawings-throws");
      // Neither what trained nor what played leaves a sandbox behind.
      await expect.poll(() => sandboxes(page)).toBe(0);
    },
  );
});

describe("a drawing that means harm", () => {
  const grown = "context.canvas.width = 9000;";
  const forged = `const real = OffscreenCanvas.prototype.transferToImageBitmap;
    OffscreenCanvas.prototype.transferToImageBitmap = () => {
      const other = new OffscreenCanvas(9000, 7);
      other.getContext("2d");
      return real.call(other);
    };`;
  const sly = `Object.defineProperty(context.canvas, "width", { get() { throw new Error("trap"); } });`;
  const none = "OffscreenCanvas.prototype.transferToImageBitmap = () => new ArrayBuffer(8);";
  const FAULTS = [
    ["grows its canvas", grown, "found an image of 9000 x 320 pixels, allowed 480 x 320"],
    ["gives a picture of another size", forged, "found an image of 9000 x 7 pixels, allowed 480 x 320"],
    ["has getters that throw", sly, "trap"],
    ["gives no picture", none, "is not an ImageBitmap"],
  ] as const;

  appTest("is refused, and the page stays", async ({ app, page }) => {
    for (const [what, statements, said] of FAULTS) {
      await write(page, app.url, own({}).replace(/}\n$/, `render(context) { ${statements} }\n}\n`));
      await button(page, "Open").click();
      const alert = panel(page, "Play").getByRole("alert");
      await alert.waitFor();
      expect(`${what}: ${await alert.innerText()}`).toContain(said);
    }
  });
});
