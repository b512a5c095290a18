/**
 * Compiles the sources before unit and end-to-end tests run, for Node to load: module by module, and bundled for the
 * processes and threads that tests start, which load that in a fifth of the processor time that a loader of TypeScript takes.
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
const SOURCES = [
  "src",
  "platform/src",
  CONFIG,
  "tests/support/compileSources.ts",
  "tsconfig.lib.json",
  "tsconfig.json",
  "package-lock.json",
];
/** Written last. */
const MARK = ".built";

const placeOf = (source: string, ending: string) => path.join(root, FOLDER, source.replace(/\.ts$/, ending));

/** A compiled module, by the path of its source: `src/index.ts`. */
export const compiled = (source: string): string => placeOf(source, ".js");

/** One of those below with all that it needs. */
export const bundled = (source: (typeof BUNDLED)[number]): string => placeOf(source, BUNDLE);
const BUNDLE = ".bundle.js";

/**
 * What processes and threads begin with, and what tests hand to such threads: Node takes about a millisecond for a small
 * module, and a process needs a thousand. All share the modules of one bundle, and nothing with the compiled modules.
 */
const BUNDLED = [
  "platform/src/main.ts",
  "platform/src/artifacts/DirectoryArtifacts.ts",
  "platform/src/artifacts/turnStores.ts",
  "platform/src/database/Database.ts",
  "platform/src/worker/Supervisor.ts",
  "src/cli/rlkit.ts",
  "src/llm/modules/node/module.worker.ts",
  "src/storage/index.ts",
  "src/storage/node/index.ts",
  "src/workers/compute.worker.ts",
  "src/workers/spawn/node.ts",
] as const;

/** Keeps what modules find by their own addresses, and bundles what bundles for browsers leave out. */
const forNode: Plugin = {
  name: "rlkit-for-node",
  enforce: "pre",
  transform: (code, id) => ({
    code: code
      .replaceAll(/import\(\s*\/\* @vite-ignore \*\/ `([^`$]+)\.\$\{extension\}`,?\s*\)/g, 'import("$1.ts")')
      .replaceAll(/(workerThread\(import\.meta\.url, "[^"]+)"/g, `$1${BUNDLE.replace(/\.js$/, "")}"`)
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
        input: Object.fromEntries(
          BUNDLED.map((entry) => [entry.replace(/\.ts$/, ""), path.join(root, entry)]),
        ),
        output: { entryFileNames: `[name]${BUNDLE}`, chunkFileNames: "bundled/[name]-[hash].js" },
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
