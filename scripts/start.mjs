/**
 * `npm start`: installs what is missing, builds the workbench and the command when their sources changed, and runs
 * `rlkit ui`, which serves the workbench on this machine and opens it. It serves the production build, because React's
 * development build keeps a record of every update, which fills the memory in a run of hours. For work on the workbench
 * itself there is `npm run dev`. The documentation is built afterwards if it is stale, and served at /docs/.
 */
import { mkdirSync } from "node:fs";
import path from "node:path";
import { buildAppIfStale, buildDocsIfStale, buildLibIfStale } from "./lib/build.mjs";
import { installMissing, requireNode, root } from "./lib/environment.mjs";
import { holdOutput, runCommand } from "./lib/tools.mjs";

requireNode();
if (!installMissing()) process.exit(1);
if (!(await buildAppIfStale()) || !(await buildLibIfStale())) {
  console.error("The workbench could not be built; the reason stands above.");
  process.exit(1);
}

const args = process.argv.slice(2);
const { PORT } = process.env;
const hasPort = args.some((arg) => arg === "--port" || arg.startsWith("--port="));
/** The workbench is open while the documentation is built; what the build prints is shown only if it fails. */
async function buildDocs() {
  /** @type {Buffer[]} */
  const printed = [];
  const isBuilt = await holdOutput(printed, buildDocsIfStale);
  if (isBuilt) return console.log("The documentation is at /docs/ of the same address.");
  console.error(Buffer.concat(printed).toString());
  console.error(
    "The documentation could not be built; the reason stands above. The workbench is not affected.",
  );
}

// The workbench links to the documentation where this folder is.
mkdirSync(path.join(root, "dist/docs"), { recursive: true });
void buildDocs();
await runCommand(["ui", ...(PORT && !hasPort ? ["--port", PORT] : []), ...args]);
