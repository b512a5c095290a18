/** The folder that the site is built from: the pages of docs, and those of the API reference. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type ApiPages, apiPages } from "../../scripts/api/apiPages.ts";
import { readPublicApi } from "../../scripts/api/publicApi.ts";
import { root } from "../../scripts/lib/environment.mjs";

/**
 * Writes the folder anew; the library must be built.
 *
 * @returns the folder, and the addresses of the names in the API reference
 */
export function sitePages(): { readonly folder: string; readonly addresses: ApiPages["addresses"] } {
  const docs = path.join(root, "docs");
  const folder = path.join(root, ".cache/site");
  rmSync(folder, { recursive: true, force: true });
  cpSync(docs, folder, { recursive: true });
  const files = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".md"),
  );
  const guides = files.map((file) => ({
    address: `/${file
      .split(path.sep)
      .join("/")
      .replace(/(?:(^|\/)README)?\.md$/, "$1")}`,
    text: readFileSync(path.join(docs, file), "utf8"),
  }));
  const { pages, addresses } = apiPages(readPublicApi(), guides);
  for (const [page, text] of pages) {
    const file = path.join(folder, page);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return { folder, addresses };
}
