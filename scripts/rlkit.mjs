/** `npm run rlkit -- ARGS`: the command line tool from the sources, built first when they changed. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { buildLibIfStale } from "./lib/build.mjs";
import { installMissing, requireNode, root } from "./lib/environment.mjs";

requireNode();
if (!installMissing() || !(await buildLibIfStale())) process.exit(1);

const command = path.join(root, "dist", "lib", "cli", "rlkit.js");
process.argv[1] = command;
await import(pathToFileURL(command).href);
