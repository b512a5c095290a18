/** `npm run api`: writes the reports of the package's interface into etc. */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildLibIfStale } from "../lib/build.mjs";
import { root } from "../lib/environment.mjs";
import { apiReports } from "./apiReports.ts";
import { readPublicApi } from "./publicApi.ts";

if (!(await buildLibIfStale())) process.exit(1);
const folder = path.join(root, "etc");
mkdirSync(folder, { recursive: true });
for (const [name, text] of apiReports(readPublicApi())) writeFileSync(path.join(folder, name), text);
