/** `npx tsx scripts/docs/writeFieldTables.ts`: writes the tables of fields in docs anew, from the schemas. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/environment.mjs";
import { withFieldTables } from "./fieldTable.ts";

const folder = path.join(root, "docs");
for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
  file.endsWith(".md"),
)) {
  const file = path.join(folder, name);
  const page = readFileSync(file, "utf8");
  const written = withFieldTables(page);
  if (written === page) continue;
  writeFileSync(file, written);
  console.log(path.relative(root, file));
}
