/**
 * `npm run bench -- [--list] [--device wasm|webgpu] [--row NAME]... [--processes N]`: measures rows, each in fresh
 * processes, one at a time. Prints a table per row with the median, minimum and maximum over the processes, and adds it to
 * bench/results.
 * Without names, it measures all rows of the device. In Node, VK_ICD_FILENAMES selects the WebGPU driver.
 */
import { parseArgs } from "node:util";
import { buildLibIfStale } from "../scripts/lib/build.mjs";
import { machineNote } from "./harness/machine.ts";
import { record } from "./harness/record.ts";
import { measureInFreshProcess } from "./harness/runInProcesses.ts";
import { summarise } from "./harness/statistics.ts";
import { figureTable } from "./harness/table.ts";
import { findRow, rows } from "./rows/index.ts";

const { values: options } = parseArgs({
  options: {
    list: { type: "boolean", default: false },
    row: { type: "string", multiple: true, default: [] },
    device: { type: "string", default: "wasm" },
    processes: { type: "string" },
  },
});

if (options.list) {
  for (const { name, title } of rows) console.log(`${name.padEnd(24)} ${title}`);
} else if (!(await buildLibIfStale())) process.exitCode = 1;
else {
  const chosen =
    options.row.length > 0
      ? options.row.map(findRow)
      : rows.filter(({ device = "wasm" }) => device === options.device);
  console.log(machineNote());
  for (const row of chosen) {
    const processes = Number(options.processes ?? row.processes ?? 7);
    const samples: (readonly number[])[] = [];
    try {
      for (let i = 1; i <= processes; i++) samples.push(await measureInFreshProcess(row.name, i));
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
      continue;
    }
    console.log(`\n## ${row.name}: ${row.title}`);
    const command = `npm run bench -- --row ${row.name} --processes ${processes}`;
    console.log(`${command}\n`);
    const summaries = row.figures.map((_, i) => summarise(samples.map((sample) => sample[i] ?? Number.NaN)));
    console.log(figureTable(row.figures, summaries));
    record({ row: row.name, title: row.title, command, figures: row.figures, summaries });
  }
  console.log(`\n${machineNote()}`);
}
