/** The option `--module`, which imports a user's environments, algorithms, kinds of network or workloads. */
import path from "node:path";
import { pathToFileURL } from "node:url";
import { listAlgorithms, type SpecIssue } from "../manifests/index.ts";
import { listEnvironments } from "../rl/environments.ts";
import { listArchitectures } from "../rl/networks.ts";
import { loadModules } from "../workers/computing.ts";
import { CliError, EXIT } from "./CliIo.ts";
import type { CommandLine, OptionDefinition } from "./CommandLine.ts";

export const MODULE_OPTION: { readonly module: OptionDefinition } = {
  module: {
    value: "FILE",
    help: "JavaScript module to import first, which registers your own environments, algorithms, kinds of network or workloads; or which the manifest of a language model names and you trust.",
  },
};

/** Appended to errors about names that are not registered. */
export const MODULE_HINT = "; if a module of yours registers it, add --module FILE";

/** For an error of Node's module loader: what to do about it, after a semicolon; "" if that is not known. */
function remedyFor(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "";
  if (error.code === "ERR_UNKNOWN_FILE_EXTENSION") return "; give the compiled JavaScript";
  const lacksRlkit = error.code === "ERR_MODULE_NOT_FOUND" && error.message.includes("package 'rlkit'");
  return lacksRlkit
    ? "; install rlkit beside the module, or export `register` (docs/extending/README.md)"
    : "";
}

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
    const [message, cause] = error instanceof Error ? [error.message, error.cause] : [String(error), null];
    throw new CliError(`--module: ${message}${remedyFor(cause)}`, EXIT.failed, { cause: error });
  });
  return urls;
}

/** For each key that holds a name which a module may register: the end of its path, and the registered names. */
const NAMES: readonly (readonly [place: RegExp, registered: () => readonly string[]])[] = [
  [/^environment\.name$/, listEnvironments],
  [/^algorithm\.name$/, () => listAlgorithms().map(({ name }) => name)],
  [/\bencoder_config\.arch$/, () => listArchitectures().map(({ arch }) => arch)],
];

/** Whether the issue is that a name is not registered. Other problems with a name list no allowed ones. */
const isUnknown = ({ code, path, allowed, found }: SpecIssue): boolean =>
  code === "value" &&
  allowed !== undefined &&
  NAMES.some(([place, registered]) => place.test(path) && !registered().includes(String(found)));

/** The issues of a manifest; one about an unknown name also says how to load the module that registers it. */
export const withModuleHint = (issues: readonly SpecIssue[]): SpecIssue[] =>
  issues.map((issue) => (isUnknown(issue) ? { ...issue, message: `${issue.message}${MODULE_HINT}` } : issue));
