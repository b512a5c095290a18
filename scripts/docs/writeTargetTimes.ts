/** `npx tsx scripts/docs/writeTargetTimes.ts`: writes what the gallery says of templates' times anew, from docs/results.md. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/environment.mjs";
import { targetTimesModule } from "./targetTimes.ts";

const results = readFileSync(path.join(root, "docs/results.md"), "utf8");
writeFileSync(path.join(root, "src/ui/pages/editor/gallery/targetTimes.ts"), targetTimesModule(results));
