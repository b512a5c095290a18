/**
 * `npx tsx scripts/theatre/recordRun.ts`: trains the run that the first page plays, and writes it into
 * src/ui/theatre/recordedRun.ts. Takes minutes; the same commit writes the same file.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../lib/environment.mjs";
import { RECORDED_FILE, recordedModule } from "./recordedModule.ts";
import { type TrainedGeneration, trainRecorded } from "./trainRecorded.ts";

const generations: TrainedGeneration[] = [];
await trainRecorded((generation) => {
  generations.push(generation);
  console.error(
    `generation ${generation.report.generation}: best ${Math.max(...generation.report.fitnesses)}`,
  );
});
const text = recordedModule(generations);
writeFileSync(path.join(root, RECORDED_FILE), text);
console.log(`${RECORDED_FILE}: ${text.length} bytes`);
