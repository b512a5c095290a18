/** What resuming and warm starts read: a checkpoint directory, or the file of one agent. */
import type { AgentState } from "../rl/agents/agentState.ts";
import { type FileStore, joinPath, readCheckpoint, StorageError } from "../storage/index.ts";
import { decodeAgent } from "./agentFile.ts";
import { decodeRun, ELITE_FILE, memberFile, type SavedRun } from "./run/runCheckpoint.ts";

export type LoadedCheckpoint =
  | { readonly kind: "run"; readonly run: SavedRun }
  | { readonly kind: "agent"; readonly agent: AgentState };

const isAgentFile = (path: string): boolean => path.endsWith(".safetensors");

/** @throws StorageError "not_found", "corrupt" or "version". */
export async function loadCheckpoint(store: FileStore, path: string): Promise<LoadedCheckpoint> {
  if (isAgentFile(path)) return { kind: "agent", agent: decodeAgent(await store.read(path), path).agent };
  const { files } = await readCheckpoint(store, path);
  return { kind: "run", run: decodeRun(files, path) };
}

/** One agent: the file's, or the directory's elite. */
export async function loadElite(store: FileStore, path: string): Promise<AgentState> {
  if (isAgentFile(path)) return decodeAgent(await store.read(path), path).agent;
  for (const name of [ELITE_FILE, memberFile(0)]) {
    if (!(await store.exists(joinPath(path, name)))) continue;
    const { files } = await readCheckpoint(store, path, (file) => file === name);
    const bytes = files.get(name);
    if (bytes) return decodeAgent(bytes, joinPath(path, name)).agent;
  }
  throw new StorageError(
    "not_found",
    path,
    "is no checkpoint: it holds no agent; give a checkpoint directory or a .safetensors file",
  );
}

/**
 * A member with the networks of another agent: weights and architecture only; optimiser, steps, fitness
 * and hyperparameters stay its own.
 * @throws StorageError "corrupt" when the networks do not belong to the same algorithm or spaces.
 */
export function withWeightsOf(member: AgentState, source: AgentState, path: string): AgentState {
  requireSameKind(member, source, path);
  const optimizers = Object.fromEntries(
    Object.entries(member.optimizers).map(([name, o]) => {
      const zeros = () =>
        Object.fromEntries(
          o.networks.flatMap((network) =>
            Object.entries(source.networks[network]?.tensors ?? {}).map(([key, values]) => [
              `${network}.${key}`,
              new Float32Array(values.length),
            ]),
          ),
        );
      return [name, { ...o, step: 0, first: zeros(), second: zeros() }];
    }),
  );
  return { ...member, networks: source.networks, optimizers };
}

/** @throws StorageError "corrupt" when an agent was made for another algorithm or other spaces. */
export function requireSameKind(expected: AgentState, found: AgentState, path: string): void {
  if (expected.algorithm !== found.algorithm) {
    throw new StorageError(
      "corrupt",
      path,
      `holds a ${found.algorithm} agent, and the run trains ${expected.algorithm}; use a checkpoint of the same algorithm`,
    );
  }
  for (const [name, { data }] of Object.entries(expected.networks)) {
    const other = found.networks[name]?.data;
    const inputs = (d: typeof data) => (d.encoder && d.encoder !== "shared" ? d.encoder.inputs : null);
    if (!other || inputs(other) !== inputs(data) || other.head.outputs !== data.head.outputs) {
      throw new StorageError(
        "corrupt",
        path,
        `network ${name} does not fit the environment's observations or actions; use a checkpoint of the same environment`,
      );
    }
  }
}
