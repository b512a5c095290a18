/** Code that pages and comments show, as modules of a user. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../scripts/lib/environment.mjs";
import { pages } from "../docs/pages.ts";

/** The code of a page. */
export const codeOf = (page: string): string[] =>
  [...readFileSync(path.join(root, page), "utf8").matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(
    ([, code = ""]) => code,
  );

/** What a page's text has introduced before some of its code. */
const GIVEN: Readonly<Record<string, string>> = {
  trainer: 'import("rlkit").LocalTrainer',
  client: 'import("rlkit").RemoteClient',
  experiment_name: "string",
  features: "number[][]",
  targets: "number[]",
};

/** Pages with the code of rlkit's own parts, and guides, whose programs go on over several blocks (guides.test.ts). */
const LEFT_OUT = /^docs\/(?:extending|guides)\//;

/**
 * The code of the pages of docs that users write: by the page and the place in it, such as "docs-datasets-0".
 *
 * @param complete Adds what code without imports takes from the package
 */
export function pageModules(complete: (code: string) => string): Map<string, string> {
  const found = new Map<string, string>();
  for (const page of pages.filter((one) => !LEFT_OUT.test(one)))
    for (const [i, code] of codeOf(page).entries()) {
      const given = Object.entries(GIVEN)
        .filter(([name]) => new RegExp(`(?<![.\\w])${name}\\b`).test(code))
        .filter(([name]) => !new RegExp(`(?:const|let) [^=;()]*\\b${name}\\b[^=;()]*=`).test(code))
        .map(([name, type]) => `declare const ${name}: ${type};\n`);
      const module = code.includes("import {") ? code : complete(code);
      found.set(`${page.replaceAll("/", "-").replace(".md", "")}-${i}`, `${module}\n${given.join("")}`);
    }
  return found;
}
