/** Loads agents for commands, and the environment that each was trained in. */
import { z } from "zod";
import { type AgentState, findAlgorithm, requireOwnSpaces } from "../agents/members.ts";
import { findEnvironment, listEnvironments, type RegisteredEnvironment } from "../rl/environments.ts";
import type { EnvironmentOptions } from "../rl/faces.ts";
import type { AgentSpaces } from "../rl/spaces.ts";
import type { UserEnvironment } from "../sandbox/environments.ts";
import { alternatives, environmentId } from "../specs/messages.ts";
import { NO_ENVIRONMENT } from "../specs/sections.ts";
import { COMMIT_FILE } from "../storage/checkpoints.ts";
import { type FileStore, joinPath, parentPath, readCheckpoint, StorageError } from "../storage/index.ts";
import { type AgentFile, decodeAgent } from "../training/files.ts";
import { ELITE_FILE, RUN_FILE } from "../training/loop.ts";
import { loadEliteFile } from "../training/workloads.ts";
import { type CliIo, usageError } from "./CliIo.ts";
import type { CommandLine, OptionDefinition } from "./CommandLine.ts";
import { MODULE_HINT } from "./modules.ts";
import { keptEnvironment, moduleEnvironment, TIMEOUT_OPTION, timeoutOption } from "./userModules.ts";

/**
 * The environment that a command plays in: registered, from a module, or the one that its
 * agent was trained in.
 */
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

/** An environment as agent files and checkpoints record it. */
interface NamedPlace {
  readonly id: string;
  /** Options besides the name; null for none. */
  readonly options: EnvironmentOptions | null;
}

export interface TrainedAgent {
  readonly agent: AgentState;
  /** Where the agent was trained; null if neither its file nor its checkpoint says. */
  readonly place: NamedPlace | null;
  /** The spaces that the agent's file records; null if it records none. */
  readonly spaces: AgentSpaces | null;
  /** A message for the user about the file; null for none. */
  readonly notice: string | null;
}

const Options = z.record(z.string(), z.unknown()).nullish();
const SavedManifest = z.object({
  manifest: z.object({ environment: z.object({ name: z.string(), env_config: Options }) }),
});

/**
 * Loads an agent's file, or the elite of a checkpoint directory. Warns on standard error about a
 * file without a checksum.
 * @throws StorageError "not_found", "corrupt" or "version".
 */
export async function loadAgent({ store, stderr }: CliIo, path: string): Promise<TrainedAgent> {
  const trained = await readAgent(store, path);
  if (trained.notice !== null) stderr.write(`rlkit: ${trained.notice}\n`);
  return trained;
}

async function readAgent(store: FileStore, path: string): Promise<TrainedAgent> {
  if (path.endsWith(".safetensors")) {
    const file = decodeAgent(await store.read(path), path);
    const own = file.environment === null ? null : { id: file.environment, options: file.env_config };
    // The file may lie outside a checkpoint. Then only the environment is unknown.
    return trainedAgent(file, own ?? (await placeOfRun(store, parentPath(path)).catch(() => null)));
  }
  if (!(await store.exists(path)))
    throw new StorageError("not_found", path, "no checkpoint is there; check the path");
  const elite = joinPath(path, ELITE_FILE);
  if (!(await store.exists(joinPath(path, COMMIT_FILE))) && (await store.exists(elite)))
    throw usageError(`${path}: is a run's directory; give ${elite}, or one of its checkpoints`);
  return trainedAgent(await loadEliteFile(store, path), await placeOfRun(store, path));
}

function trainedAgent(
  { agent, observation_space, action_space, notice }: AgentFile,
  place: NamedPlace | null,
): TrainedAgent {
  const spaces = observation_space && action_space ? { observation_space, action_space } : null;
  return { agent, place, spaces, notice };
}

/** @throws CliError unless an environment of this name is registered. `place`: where the name was found. */
function requireRegistered(name: string, place: string, hint = MODULE_HINT): void {
  const known = listEnvironments();
  if (known.includes(name) || known.includes(environmentId(name))) return;
  const others = alternatives("environment", name, { names: known });
  throw usageError(`${place}: unknown environment "${name}"${others}${hint}`);
}

/** The registered environment that an option names. @throws CliError for unknown names. */
export function namedEnvironment(name: string): RegisteredEnvironment {
  requireRegistered(name, "--environment");
  return findEnvironment(name);
}

/** The environment that an agent was trained in. @throws CliError if it is unknown. */
export function trainingEnvironment(place: NamedPlace | null, path: string): RegisteredEnvironment {
  if (place?.id === NO_ENVIRONMENT)
    throw usageError(`${path}: learned from data alone, so it has no environment; give --environment NAME`);
  if (place !== null) {
    requireRegistered(place.id, path, `; if it is a module of yours, give --environment FILE${MODULE_HINT}`);
    return findEnvironment(place.id, place.options);
  }
  throw usageError(`${path}: does not say which environment it was trained in; give --environment NAME`);
}

/**
 * The environment of the run that a checkpoint belongs to; null if it is not recorded.
 * @throws StorageError if damaged.
 */
async function placeOfRun(store: FileStore, dir: string): Promise<NamedPlace | null> {
  const { files } = await readCheckpoint(store, dir, (file) => file === RUN_FILE);
  try {
    const run = SavedManifest.parse(JSON.parse(new TextDecoder().decode(files.get(RUN_FILE))));
    const { name, env_config = null } = run.manifest.environment;
    return { id: name, options: env_config };
  } catch {
    return null;
  }
}

/** @throws StorageError "version" when the agent was made for other spaces than the environment's. */
export function requireFit(agent: AgentState, env: RegisteredEnvironment, path: string): void {
  try {
    requireOwnSpaces(agent, env);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StorageError(
      "version",
      path,
      `holds ${findAlgorithm(agent.algorithm).multi_agent ? `${agent.algorithm} agents` : `a ${agent.algorithm} agent`} of another environment than ${env.id}: ${error.message}`,
      { cause: error },
    );
  }
}
