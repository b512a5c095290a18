import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "playwright";
import { root } from "../../../scripts/lib/environment.mjs";

/**
 * Keeps a picture of the whole page as test-results/<name>.png, for people to look at.
 *
 * @returns the file
 */
export async function screenshot(page: Page, name: string): Promise<string> {
  const folder = path.join(root, "test-results");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `${name.replaceAll(/[^\w-]+/g, "-")}.png`);
  await page.screenshot({ path: file, fullPage: true });
  return file;
}

/** Whether anything is drawn on a canvas. */
export const isPainted = (canvas: Locator): Promise<boolean> =>
  canvas.evaluate((drawn: HTMLCanvasElement) => {
    const copy = new OffscreenCanvas(drawn.width, drawn.height).getContext("2d");
    copy?.drawImage(drawn, 0, 0);
    const { data = [] } = copy?.getImageData(0, 0, drawn.width, drawn.height) ?? {};
    return Array.from(data).some((value) => value > 0);
  });
