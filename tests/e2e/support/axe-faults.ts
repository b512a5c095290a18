import { readFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright";
import { root } from "../../../scripts/lib/environment.mjs";

const AXE = readFileSync(path.join(root, "node_modules/axe-core/axe.min.js"), "utf8");

/** What axe finds, as rule and element. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      // The script above puts it there.
      readonly axe: {
        run(): Promise<{
          readonly violations: readonly {
            readonly id: string;
            readonly nodes: readonly { readonly html: string }[];
          }[];
        }>;
      };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  });
}
