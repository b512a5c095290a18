/**
 * `npx tsx scripts/docs/writeResults.ts`: writes docs/results.md, the tables of results on other pages, and what the gallery says of
 * templates' times, from the files in bench/results.
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { measuredRows, readResult } from "../../bench/harness/ResultFile.ts";
import { root } from "../lib/environment.mjs";
import { resultsPage } from "./resultsPage.ts";
import { withResultTables } from "./resultTable.ts";
import { targetTimesModule } from "./targetTimes.ts";

const results = Object.fromEntries(measuredRows().map((row) => [row, readResult(row)]));
writeFileSync(path.join(root, "docs/results.md"), resultsPage(results));
for (const page of [
  "docs/datasets.md",
  "docs/demonstrations.md",
  "docs/evolution.md",
  "docs/self-play.md",
  "docs/environments/games.md",
  "docs/goals.md",
]) {
  const file = path.join(root, page);
  writeFileSync(file, withResultTables(readFileSync(file, "utf8"), results));
}
writeFileSync(path.join(root, "src/ui/pages/editor/gallery/targetTimes.ts"), targetTimesModule(results));
