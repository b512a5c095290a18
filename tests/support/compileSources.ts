/**
 * Compiles the sources before unit and end-to-end tests run: processes and threads that tests start load them in a third
 * of the processor time that a loader of TypeScript takes.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "vite";
import { root } from "../../scripts/lib/environment.mjs";
import { isFresh } from "../../scripts/lib/freshness.mjs";
import { runTool } from "../../scripts/lib/tools.mjs";

const FOLDER = ".cache/compiled";
const CONFIG = "tests/support/compiled.tsconfig.json";
const SOURCES = ["src", "platform/src", CONFIG, "tests/support/compileSources.ts", "tsconfig.lib.json", "tsconfig.json", "package-lock.json"];
/** Written last. */
const MARK = ".built";

/** A compiled module, by the path of its source: `src/cli/rlkit.ts`. */
export const compiled = (source: string): string => path.join(root, FOLDER, source.replace(/\.ts$/, ".js"));

/**
 * What processes and threads begin with, and what tests hand to those in their own process: bundled, since Node takes about
 * a millisecond to load a small module, and a process needs a thousand. All are of one bundle, and share its classes.
 */
const BUNDLED = [
  "platform/src/main",
  "platform/src/artifacts/DirectoryArtifacts",
  "platform/src/artifacts/turnStores",
  "platform/src/database/Database",
  "platform/src/worker/Supervisor",
  "src/cli/rlkit",
  "src/llm/modules/node/module.worker",
  "src/storage/index",
  "src/storage/node/index",
  "src/workers/compute.worker",
  "src/workers/spawn/node",
];

/** Keeps what modules find by their own addresses, and bundles what bundles for browsers leave out. */
const forNode: Plugin = {
  name: "rlkit-for-node",
  enforce: "pre",
  transform: (code, id) => ({
    code: code
      .replaceAll(/import\(\s*\/\* @vite-ignore \*\/ `([^`$]+)\.\$\{extension\}`,?\s*\)/g, 'import("$1.ts")')
      .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(compiled(path.relative(root, id))).href)),
    map: null,
    // The package says by the names of its built files which ones have some.
    moduleSideEffects: true,
  }),
};

/** @param folder Where all sources are compiled, one by one. */
async function bundle(folder: string): Promise<void> {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    plugins: [forNode],
    build: {
      ssr: true,
      outDir: folder,
      emptyOutDir: false,
      copyPublicDir: false,
      minify: false,
      target: "node20",
      rolldownOptions: {
        input: Object.fromEntries(BUNDLED.map((entry) => [entry, path.join(root, `${entry}.ts`)])),
        output: { entryFileNames: "[name].js", chunkFileNames: "bundled/[name]-[hash].js" },
      },
    },
  });
}

/** Vitest calls this for each project, before its workers start. @throws Error when the sources do not compile. */
export async function setup(): Promise<void> {
  if (isFresh(path.join(FOLDER, MARK), SOURCES)) return;
  const place = path.join(root, FOLDER);
  const work = `${place}-${process.pid}`;
  try {
    const code = await runTool("typescript", ["-p", CONFIG, "--outDir", work], { bin: "tsc" });
    if (code !== 0) throw new Error(`the sources could not be compiled (tsc -p ${CONFIG})`);
    await bundle(work);
    // Another run may have been quicker, and its processes load what it has made.
    if (isFresh(path.join(FOLDER, MARK), SOURCES)) return;
    writeFileSync(path.join(work, MARK), "");
    rmSync(place, { recursive: true, force: true });
    renameSync(work, place);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
