import { mkdirSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright";
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
