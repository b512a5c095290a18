/** Runs before `npm publish`, and ends it where the registry's page would not work. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./lib/environment.mjs";
import { publishProblem } from "./lib/publishProblem.mjs";

const problem = publishProblem(JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")));
if (problem !== undefined) {
  console.error(problem);
  process.exit(1);
}
