/** `npm run rlkit -- ARGS`: the command line tool from the sources, built first when they changed. */
import { buildLibIfStale } from "./lib/build.mjs";
import { installMissing, requireNode } from "./lib/environment.mjs";
import { runCommand } from "./lib/tools.mjs";

requireNode();
if (!installMissing() || !(await buildLibIfStale())) process.exit(1);
await runCommand(process.argv.slice(2));
