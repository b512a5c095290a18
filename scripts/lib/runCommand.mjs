import path from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./environment.mjs";

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
