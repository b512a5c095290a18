/**
 * Compiles the sources before unit and end-to-end tests run: processes and threads that tests start load them in a third
 * of the processor time that a loader of TypeScript takes.
 */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../scripts/lib/environment.mjs";
import { isFresh } from "../../scripts/lib/freshness.mjs";
import { runTool } from "../../scripts/lib/tools.mjs";

const FOLDER = ".cache/compiled";
const CONFIG = "tests/support/compiled.tsconfig.json";
const SOURCES = ["src", "platform/src", CONFIG, "tsconfig.lib.json", "tsconfig.json", "package-lock.json"];
/** Written last. */
const MARK = ".built";

/** A compiled module, by the path of its source: `src/cli/rlkit.ts`. */
export const compiled = (source: string): string => path.join(root, FOLDER, source.replace(/\.ts$/, ".js"));

/** Vitest calls this for each project, before its workers start. @throws Error when the sources do not compile. */
export async function setup(): Promise<void> {
  if (isFresh(path.join(FOLDER, MARK), SOURCES)) return;
  const place = path.join(root, FOLDER);
  const work = `${place}-${process.pid}`;
  try {
    const code = await runTool("typescript", ["-p", CONFIG, "--outDir", work], { bin: "tsc" });
    if (code !== 0) throw new Error(`the sources could not be compiled (tsc -p ${CONFIG})`);
    // Another run may have been quicker, and its processes load what it has made.
    if (isFresh(path.join(FOLDER, MARK), SOURCES)) return;
    writeFileSync(path.join(work, MARK), "");
    rmSync(place, { recursive: true, force: true });
    renameSync(work, place);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
