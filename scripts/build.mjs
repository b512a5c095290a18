/** `npm run build [-- app|lib]`: makes dist/app and dist/lib, or one of them. */

import { buildApp, buildLib } from "./lib/build.mjs";
import { installMissing, requireNode } from "./lib/environment.mjs";

requireNode();
if (!installMissing()) process.exit(1);

const builds = { app: buildApp, lib: buildLib };
const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(name in builds));
if (unknown !== undefined) {
  console.error(`There is no build called "${unknown}"; choose among: ${Object.keys(builds).join(", ")}.`);
  process.exit(2);
}

for (const [name, build] of Object.entries(builds)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const started = performance.now();
  if (await build()) {
    console.log(`dist/${name} built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  } else {
    console.error(`The build of dist/${name} failed.`);
    process.exitCode = 1;
  }
}
