import { readdirSync } from "node:fs";
import path from "node:path";
import { root } from "../../scripts/lib/environment.mjs";

/** All pages below docs, from the root, with slashes. */
export const pages: readonly string[] = readdirSync(path.join(root, "docs"), {
  recursive: true,
  encoding: "utf8",
})
  .filter((name) => name.endsWith(".md"))
  .map((name) => `docs/${name.split(path.sep).join("/")}`)
  .sort();
