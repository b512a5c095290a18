/**
 * The environment that a command plays in: registered, from a module, or the one that its
 * agent was trained in.
 */
import type { RegisteredEnvironment } from "../rl/environments.ts";
import type { UserEnvironment } from "../sandbox/environments.ts";
import type { FileStore } from "../storage/index.ts";
import type { CommandLine, OptionDefinition } from "./CommandLine.ts";
import { namedEnvironment, type TrainedAgent, trainingEnvironment } from "./loadAgent.ts";
import { keptEnvironment, moduleEnvironment, TIMEOUT_OPTION, timeoutOption } from "./userModules.ts";

export const ENVIRONMENT_OPTIONS: Readonly<Record<string, OptionDefinition>> = {
  environment: {
    value: "NAME",
    help: "Environment to play in, or a module's file, with :NAME for one of its exports (default: the one that the agent was trained in).",
  },
  ...TIMEOUT_OPTION,
};

/**
 * The environment that `--environment` names; null without the option.
 * @throws CliError for an unknown name, SpecError for a module that cannot be used.
 */
export async function givenEnvironment(
  line: CommandLine,
  store: FileStore,
): Promise<RegisteredEnvironment | UserEnvironment | null> {
  const named = line.text("environment");
  if (named === null) return null;
  return (await moduleEnvironment(store, named, timeoutOption(line))) ?? namedEnvironment(named);
}

/** The environment that an agent was trained in. @throws CliError if it is unknown. */
export async function ownEnvironment(
  line: CommandLine,
  store: FileStore,
  { path, place }: Pick<TrainedAgent, "place"> & { readonly path: string },
): Promise<RegisteredEnvironment | UserEnvironment> {
  return (await keptEnvironment(store, path, timeoutOption(line))) ?? trainingEnvironment(place, path);
}
