/** The option `--module`, which imports a user's environments, algorithms or workloads. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { loadModules } from "../workers/loadModules.ts";
import { CliError } from "./CliError.ts";
import { EXIT } from "./CliIo.ts";
import type { CommandLine, OptionDefinition } from "./CommandLine.ts";

export const MODULE_OPTION: { readonly module: OptionDefinition } = {
  module: {
    value: "FILE",
    help: "JavaScript module to import first, which registers environments, algorithms or workloads of yours.",
  },
};

/**
 * Imports the module that `--module` names.
 * @returns absolute URLs, for workers.
 * @throws CliError when the module cannot be loaded.
 */
export async function loadGivenModule(line: CommandLine): Promise<readonly string[]> {
  const file = line.text("module");
  if (file === null) return [];
  const urls = [pathToFileURL(path.resolve(file)).href];
  await loadModules(urls).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    throw new CliError(`--module: ${message}`, EXIT.failed, { cause: error });
  });
  return urls;
}
