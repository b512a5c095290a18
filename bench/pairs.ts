/**
 * `npx tsx bench/pairs.ts --with FOLDER --row NAME... [--rounds N]`: rows of `npm run bench` measured on this checkout and, by
 * turns, on another one in FOLDER, each time in a fresh process. Both need their dependencies and `npm run build -- lib`. The
 * order changes from round to round. A ratio is this one / the other, so of a time less than 1 is faster, of a rate slower.
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { machineNote } from "./harness/machine.ts";
import { measureInFreshProcess } from "./harness/runInProcesses.ts";
import { summarise } from "./harness/statistics.ts";
import { formatNumber, markdownTable } from "./harness/table.ts";
import { findRow } from "./rows/index.ts";

const { values: options } = parseArgs({
  options: {
    with: { type: "string" },
    row: { type: "string", multiple: true, default: [] },
    rounds: { type: "string", default: "7" },
  },
});
if (options.with === undefined) throw new Error("--with is missing: the folder of the other checkout");
const other = resolve(options.with);
const rounds = Number(options.rounds);

console.log(machineNote());
for (const row of options.row.map(findRow)) {
  const samples: { readonly here: readonly number[]; readonly there: readonly number[] }[] = [];
  for (let round = 1; round <= rounds; round++) {
    const measureThere = () => measureInFreshProcess(row.name, round, other);
    const measureHere = () => measureInFreshProcess(row.name, round);
    if (round % 2 === 0) {
      const there = await measureThere();
      samples.push({ here: await measureHere(), there });
    } else samples.push({ here: await measureHere(), there: await measureThere() });
  }
  console.log(`\n## ${row.name}: ${row.title}\n`);
  const lines = row.figures.map(({ name, unit, digits }, i) => {
    const here = samples.map((sample) => sample.here[i] ?? Number.NaN);
    const there = samples.map((sample) => sample.there[i] ?? Number.NaN);
    const ratios = summarise(here.map((value, round) => value / (there[round] ?? Number.NaN)));
    return [
      name,
      unit,
      formatNumber(summarise(here).median, digits),
      formatNumber(summarise(there).median, digits),
      ...[ratios.median, ratios.min, ratios.max].map((ratio) => formatNumber(ratio, 3)),
    ];
  });
  console.log(
    markdownTable(["figure", "unit", "here, median", "there, median", "ratio, median", "min", "max"], lines),
  );
}
console.log(`\n${machineNote()}`);
