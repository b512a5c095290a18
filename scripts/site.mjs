/**
 * `npm run site`: builds the documentation site into dist/site, with the workbench at /app. All of its files are static.
 * RLKIT_SITE_BASE is the path below which it will be served, such as "/rlkit/" (default: "/").
 */
import path from "node:path";
import { buildAppIfStale, buildLibIfStale, placeApp } from "./lib/build.mjs";
import { installMissing, requireNode, root } from "./lib/environment.mjs";
import { runTool } from "./lib/tools.mjs";

requireNode();
const isBuilt =
  installMissing() &&
  // The API reference is read from its declarations.
  (await buildLibIfStale()) &&
  (await runTool("vitepress", ["build", "site"])) === 0 &&
  (await buildAppIfStale());
if (isBuilt) placeApp(path.join(root, "dist/site"));
process.exit(isBuilt ? 0 : 1);
