/**
 * `npm run bench:evolution -- [--tasks A,B] [--recipes X,Y,FILE.ts] [--seeds 0-9] [--jobs N] [--out FOLDER]
 * [--against X,Y] [--report] [--picture FILE.svg] [--list]`: how good is the agent that each recipe delivers, with the same total number of
 * environment steps? Adds a line for each run to FOLDER/runs.jsonl, skips runs that are there, and prints tables of
 * the chosen runs; with --report, tables only; with --picture, also draws scores over the budget. A FILE.ts exports `recipes` of its own (bench/evolution/recipes.ts).
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { runJobs, serveJobs } from "./evolution/jobs.ts";
import { pictureOf } from "./evolution/picture.ts";
import { findRecipes, recipes } from "./evolution/recipes.ts";
import { reportOf } from "./evolution/report.ts";
import { jobsOf, Results, seedsIn } from "./evolution/results.ts";
import { evolutionTasks, findTask } from "./evolution/tasks.ts";
import { machineNote } from "./harness/machine.ts";

const { values: options } = parseArgs({
  options: {
    tasks: { type: "string" },
    recipes: { type: "string" },
    seeds: { type: "string", default: "0-9" },
    jobs: { type: "string", default: "1" },
    out: { type: "string", default: path.join(import.meta.dirname, "evolution", ".results") },
    against: { type: "string", default: "search,hpo" },
    report: { type: "boolean", default: false },
    picture: { type: "string" },
    list: { type: "boolean", default: false },
    // For processes that this one starts.
    child: { type: "boolean", default: false },
  },
});

const namesIn = (text: string): string[] => text.split(",").map((name) => name.trim());

const given = namesIn(options.recipes ?? recipes.map(({ name }) => name).join());

if (options.child) serveJobs(await findRecipes(given));
else if (options.list) {
  for (const { name, environment, budget } of evolutionTasks)
    console.log(`${name.padEnd(20)} ${environment}, ${budget.toLocaleString("en-US")} steps`);
  for (const { name, title } of recipes) console.log(`${name.padEnd(20)} ${title}`);
} else {
  const tasks = options.tasks === undefined ? evolutionTasks : namesIn(options.tasks).map(findTask);
  const chosen = await findRecipes(given);
  const processes = Number(options.jobs);
  if (!(Number.isInteger(processes) && processes > 0))
    throw new RangeError(`--jobs: found "${options.jobs}"; allowed: whole numbers of processes from 1 on`);
  const jobs = jobsOf(tasks, chosen, seedsIn(options.seeds));
  const results = new Results(options.out);
  if (!options.report) {
    const failures = await runJobs(results.missing(jobs), results, {
      processes,
      given,
      log: (line) => console.error(line),
    });
    if (failures.length > 0) process.exitCode = 1;
  }
  console.log(`${machineNote()}\n`);
  console.log(reportOf(results.chosen(jobs), namesIn(options.against)));
  if (options.picture !== undefined)
    writeFileSync(
      options.picture,
      pictureOf(results.chosen(jobs), "Same environment steps, different recipes"),
    );
}
