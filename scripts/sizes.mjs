/** `npm run sizes`: what the package's entries and the first page cost to load, in KB as gzip, as a table of Markdown. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { buildAppIfStale, buildLibIfStale } from "./lib/build.mjs";
import { requireNode, root } from "./lib/environment.mjs";

requireNode();
if (!((await buildLibIfStale()) && (await buildAppIfStale()))) process.exit(1);

/** @param {string | Uint8Array} text */
const gzipped = (text) => gzipSync(text).byteLength;

/**
 * A page with what its HTML names.
 *
 * @param {string} folder
 */
function firstLoad(folder) {
  const html = readFileSync(path.join(folder, "index.html"), "utf8");
  const files = [...html.matchAll(/ (?:src|href)="\.?\/?([^"]+\.(?:js|css))"/g)].map(([, file = ""]) => file);
  return [html, ...[...new Set(files)].map((file) => readFileSync(path.join(folder, file)))]
    .map(gzipped)
    .reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * A module and what it imports at once, as a bundler makes it for a page.
 *
 * @param {string} file
 */
async function entrySize(file) {
  const built = await build({
    configFile: false,
    root,
    logLevel: "silent",
    worker: { format: "es" },
    build: { write: false, rollupOptions: { input: file, preserveEntrySignatures: "strict" } },
  });
  const chunks = [built]
    .flat()
    .flatMap((one) => ("output" in one ? one.output : []))
    .flatMap((one) => (one.type === "chunk" ? [one] : []));
  const needed = new Set(chunks.filter((chunk) => chunk.isEntry).map((chunk) => chunk.fileName));
  for (const name of needed)
    for (const next of chunks.find((chunk) => chunk.fileName === name)?.imports ?? []) needed.add(next);
  return chunks
    .filter((chunk) => needed.has(chunk.fileName))
    .reduce((sum, chunk) => sum + gzipped(chunk.code), 0);
}

const rows = [["the workbench's first page", firstLoad(path.join(root, "dist/app"))]];
const { exports } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
for (const [entry, target] of Object.entries(exports)) {
  // The others are for Node alone, or bring a package that they name.
  if (target.default === undefined || /node$|hosting$|included\.js$/m.test(`${entry}\n${target.default}`))
    continue;
  rows.push([`\`${entry.replace(".", "rlkit")}\``, await entrySize(path.join(root, target.default))]);
}
console.log(`| loaded at once | KB, gzip |\n|---|---|`);
for (const [name, bytes] of rows) console.log(`| ${name} | ${(Number(bytes) / 1000).toFixed(1)} |`);
