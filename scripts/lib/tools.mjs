/** Runs the installed development tools without a shell, so that it works alike on every system. */
import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./environment.mjs";
import { killTree } from "./processTree.mjs";
import { whenUnchanged } from "./unchanged.mjs";

/**
 * A file that a tool writes while it gets on. When it stays as it is for `ms` milliseconds, `lost` is told and the tool is
 * killed with all that it started.
 *
 * @typedef {{ file: string, ms: number, lost: () => void }} SignOfLife
 */

/** @type {AbortSignal | undefined} */
let limit;

/** @type {AsyncLocalStorage<Buffer[]>} */
const held = new AsyncLocalStorage();

/**
 * Does some work whose tools print nothing meanwhile.
 *
 * @template T
 * @param {Buffer[]} pieces takes what they would have printed, in its order
 * @param {() => Promise<T>} work
 */
export const holdOutput = (pieces, work) => held.run(pieces, work);

/**
 * Once the signal is given, tools that run are killed with all that they started, and no other begins.
 *
 * @param {AbortSignal} signal
 */
export function endToolsOn(signal) {
  limit = signal;
}

/**
 * Runs a command line tool of an installed package and waits for its end; what it prints goes to the terminal, or is held.
 *
 * @param {string} packageName such as "@biomejs/biome"
 * @param {readonly string[]} args
 * @param {{ bin?: string, env?: Record<string, string>, cwd?: string, sign?: SignOfLife }} [options] `bin` where the
 * package has several tools; `cwd` is the repository unless given
 * @returns {Promise<number>} the exit code; 1 when a signal ended it
 */
export function runTool(packageName, args, { bin, env = {}, cwd = root, sign } = {}) {
  const signal = limit;
  const pieces = held.getStore();
  if (signal?.aborted) return Promise.resolve(1);
  const folder = path.join(root, "node_modules", packageName);
  const { bin: bins } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = typeof bins === "string" ? bins : bins[bin ?? path.basename(packageName)];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(folder, file), ...args], {
      cwd,
      stdio: pieces ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
      env: { ...process.env, ...env },
    });
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (piece) => pieces?.push(piece));
    const end = () => killTree(/** @type {number} */ (child.pid));
    signal?.addEventListener("abort", end);
    const unwatch =
      sign &&
      whenUnchanged(sign.file, sign.ms, () => {
        sign.lost();
        end();
      });
    child.once("error", reject);
    child.once("close", (code) => {
      unwatch?.();
      signal?.removeEventListener("abort", end);
      resolve(code ?? 1);
    });
  });
}

/**
 * Runs the built `rlkit` in this process, as if it had been called with these arguments.
 *
 * @param {readonly string[]} args
 */
export async function runCommand(args) {
  const command = path.join(root, "dist", "lib", "cli", "rlkit.js");
  process.argv = [process.execPath, command, ...args];
  await import(pathToFileURL(command).href);
}
