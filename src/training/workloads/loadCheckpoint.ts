/** The source of a resumed run or a warm start: a checkpoint directory, or the file of one agent. */

import {
  type AgentState,
  algorithmOf,
  freshOptimizer,
  learnsFromData,
  withDataPolicy,
  withNormalizationOf,
} from "../../agents/members.ts";
import { atomsOf, type NetworkData } from "../../rl/networks.ts";
import { show } from "../../specs/messages.ts";
import { checkpointDirectory, isRunId } from "../../storage/checkpoints.ts";
import {
  baseName,
  type FileStore,
  joinPath,
  listCheckpoints,
  parentPath,
  readCheckpoint,
  StorageError,
} from "../../storage/index.ts";
import { warn } from "../../tracking/clients.ts";
import { type AgentFile, decodeAgent } from "../files/agentFile.ts";
import { agentFileName, CHAMPION_FILE, ELITE_FILE, memberFile, RUN_FILE } from "../loop/runFiles.ts";
import { decodeRun, type ReadRun } from "./decodeRun.ts";

export type LoadedCheckpoint =
  | { readonly kind: "run"; readonly run: ReadRun }
  | ({ readonly kind: "agent" } & Pick<AgentFile, "agent" | "notice">);

/**
 * The agent file that a path names by its extension; ".pt" is replaced, as when saving. Null for other paths.
 */
function agentFileOf(path: string): string | null {
  return /\.(safetensors|pt)$/.test(path) ? agentFileName(path) : null;
}

const readAgent = async (store: FileStore, path: string): Promise<AgentFile> =>
  decodeAgent(await store.read(path), path);

/** @throws StorageError "not_found", "corrupt" or "version". */
export async function loadCheckpoint(store: FileStore, path: string): Promise<LoadedCheckpoint> {
  const file = agentFileOf(path);
  if (file !== null) return { kind: "agent", ...(await readAgent(store, file)) };
  const { files } = await readCheckpoint(store, path).catch(async (error: unknown) => {
    throw (await isFile(store, path)) ? noAgent(path, error) : error;
  });
  return { kind: "run", run: decodeRun(files, path) };
}

/**
 * Loads one agent: that of a file, or the elite of a directory. Logs a warning for a file without a checksum.
 *
 * @example
 * ```ts
 * import { nodeFileStore } from "rlkit/storage/node";
 *
 * const elite = await loadElite(nodeFileStore(), "runs/first");
 * ```
 */
export async function loadElite(store: FileStore, path: string): Promise<AgentState> {
  const { agent, notice } = await loadEliteFile(store, path);
  if (notice !== null) warn(notice);
  return agent;
}

/** Like {@link loadElite}, but returns the file's other information too, and logs nothing. */
export async function loadEliteFile(store: FileStore, path: string): Promise<AgentFile> {
  const file = agentFileOf(path);
  if (file !== null) return readAgent(store, file);
  return (await eliteOf(store, path, [ELITE_FILE, memberFile(0)])) ?? Promise.reject(noAgent(path));
}

/** The first of these files that a checkpoint has; null if it has none. */
async function eliteOf(store: FileStore, dir: string, names: readonly string[]): Promise<AgentFile | null> {
  for (const name of names) {
    if (!(await store.exists(joinPath(dir, name)))) continue;
    const { files } = await readCheckpoint(store, dir, (file) => file === name);
    const bytes = files.get(name);
    if (bytes) return decodeAgent(bytes, joinPath(dir, name), { verified: true });
  }
  return null;
}

/** How manifests name the runs that a browser stores. */
const RUN_PREFIX = "runs/";

/**
 * The best agent of a run, or what {@link loadEliteFile} finds. A run is the directory that `rlkit train` wrote, or
 * `runs/ID` in a browser.
 * @internal
 */
export async function loadBestFile(store: FileStore, path: string): Promise<AgentFile> {
  const elite = joinPath(path, ELITE_FILE);
  // A checkpoint that was not committed has this file, too.
  if ((await store.exists(elite)) && !(await store.exists(joinPath(path, RUN_FILE))))
    return readAgent(store, elite);
  const id = path.startsWith(RUN_PREFIX) ? path.slice(RUN_PREFIX.length) : "";
  if (store.kind !== "disk" && isRunId(id)) {
    const newest = (await listCheckpoints(store, checkpointDirectory(id))).at(-1);
    const found = newest && (await eliteOf(store, newest.dir, [CHAMPION_FILE, ELITE_FILE]));
    if (found) return found;
  }
  return loadEliteFile(store, path);
}

const noAgent = (path: string, cause?: unknown): StorageError =>
  new StorageError(
    "not_found",
    path,
    "is not a checkpoint: it contains no agent; give a checkpoint directory or a .safetensors file",
    { cause },
  );

async function isFile(store: FileStore, path: string): Promise<boolean> {
  const siblings = await store.list(parentPath(path)).catch(() => []);
  return siblings.some(({ name, kind }) => name === baseName(path) && kind === "file");
}

/**
 * A member with the networks of another agent: weights, architecture and the normalisation of their inputs. The
 * member keeps its own steps, fitness and hyperparameters; its optimisers are reset.
 * @throws StorageError "corrupt" when the networks are for another algorithm or other spaces; "version" when
 *   their recurrent state or return distribution differs from the member's hyperparameters.
 */
export function withWeightsOf(member: AgentState, given: AgentState, path: string): AgentState {
  const source = inAlgorithmOf(member, given, path);
  requireSameKind(member, source, path);
  requireSameMeaning(member, source, path);
  const optimizers = Object.fromEntries(
    Object.entries(member.optimizers).map(([name, optimizer]) => [name, freshOptimizer(optimizer, source)]),
  );
  const { share_encoders } = member.hyperparameters;
  const shared = Object.values(source.networks).some(({ data }) => data.encoder === "shared");
  const taken: AgentState = {
    ...member,
    hyperparameters: {
      ...member.hyperparameters,
      // Part of the architecture, so it is taken from the source.
      ...(share_encoders === undefined ? {} : { share_encoders: shared }),
    },
    networks: source.networks,
    ...(source.parameters ? { parameters: source.parameters } : {}),
    optimizers,
  };
  return withNormalizationOf(taken, source);
}

/**
 * An agent that learned from data in the form of the member's algorithm; others as they are.
 * @throws StorageError "corrupt" for a policy that the member's algorithm cannot act with.
 */
export function inAlgorithmOf(member: AgentState, source: AgentState, path: string): AgentState {
  if (member.algorithm === source.algorithm || !learnsFromData(source)) return source;
  try {
    return withDataPolicy(member, source);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new StorageError("corrupt", path, error.message, { cause: error });
  }
}

/** Hyperparameters that determine the meaning of a network's weights: its recurrent state and its outputs. */
const MEANING = ["recurrent", "num_atoms", "v_min", "v_max"] as const;

function requireSameMeaning(member: AgentState, source: AgentState, path: string): void {
  for (const name of MEANING) {
    const [own, found] = [member, source].map(({ hyperparameters }) => hyperparameters[name]);
    if (own === found) continue;
    throw new StorageError(
      "version",
      path,
      `holds weights of an agent with ${name}: ${show(found)}, but algorithm.${name} is ${show(own)}; set it to ${show(found)}, or use a checkpoint that has ${show(own)}`,
    );
  }
}

/** Width of the observations that a network reads; null if it shares another network's encoder. */
function observationWidth({ encoder, head }: NetworkData): number | null {
  if (encoder === "shared") return null;
  return encoder === null ? head.inputs : encoder.inputs;
}

const differ = (a: number | null, b: number | null): boolean => a !== null && b !== null && a !== b;

/** @throws StorageError "corrupt" for networks of agents that differ from the environment's. */
function requireSameKeys(expected: AgentState, found: AgentState, path: string): void {
  const { multi_agent, policy } = algorithmOf(expected);
  if (!multi_agent) return;
  const [own, other] = [expected, found].map((state) =>
    algorithmOf(state)
      .policies.map((name) => name.slice(policy.length + 1))
      .join(", "),
  );
  if (own === other) return;
  throw new StorageError(
    "corrupt",
    path,
    `has networks of ${other || "no agents"}, but the environment's agents have those of ${own}; use a checkpoint of the same environment`,
  );
}

/** @throws StorageError "corrupt" when an agent was made for another algorithm or other spaces. */
export function requireSameKind(expected: AgentState, found: AgentState, path: string): void {
  if (expected.algorithm !== found.algorithm) {
    throw new StorageError(
      "corrupt",
      path,
      `holds a ${found.algorithm} agent, but the run trains ${expected.algorithm}; use a checkpoint of the same algorithm`,
    );
  }
  requireSameKeys(expected, found, path);
  for (const [name, { data }] of Object.entries(expected.networks)) {
    const other = found.networks[name]?.data;
    if (
      !other ||
      differ(observationWidth(other), observationWidth(data)) ||
      // The number of atoms of Rainbow's returns does not depend on the environment.
      other.head.outputs / atomsOf(other) !== data.head.outputs / atomsOf(data) ||
      other.distribution?.kind !== data.distribution?.kind
    ) {
      throw new StorageError(
        "corrupt",
        path,
        `network ${name} does not fit the environment's observations or actions; use a checkpoint of the same environment`,
      );
    }
  }
}
