/** Saves and loads agents; also implements `agent.save()` and `DQN.load()`. */
import {
  type AgentContext,
  agentFromState,
  provideAgentStore,
  type StoredAgent,
  type SupportedAgent,
} from "../../agents/classes.ts";
import { defaultStore } from "../../storage/files.ts";
import { type FileStore, StorageError } from "../../storage/index.ts";
import { warn } from "../../tracking/clients.ts";
import { agentFileName } from "../loop/runFiles.ts";
import { type AgentFile, decodeAgent, encodeAgent } from "./agentFile.ts";

export interface StoreOption {
  /** Store of the file (default: the disk in Node, OPFS in a browser). */
  readonly store?: FileStore;
}

/**
 * Writes an agent's file.
 * @param path ".safetensors" is appended to a path without that extension, and replaces ".pt".
 * @throws StorageError `full`, `locked` or `io`.
 *
 * @example
 * ```ts
 * const { observation_space, action_space } = make("CartPole-v1");
 * const [agent] = createPopulation({ algorithm: "DQN", observation_space, action_space, population_size: 1 });
 * if (agent) await saveAgent(agent, "agent.safetensors");
 * ```
 */
export async function saveAgent(
  agent: SupportedAgent,
  path: string,
  { store }: StoreOption = {},
): Promise<void> {
  await write(agent, path, store);
}

async function write(
  { state, observation_space, action_space }: StoredAgent,
  path: string,
  store?: FileStore,
): Promise<void> {
  const bytes = encodeAgent(state, { observation_space, action_space });
  await (store ?? (await defaultStore())).write(agentFileName(path), bytes);
}

/** Reads the file saved as `path`, or else the file with exactly that name. */
async function read(path: string, given?: FileStore): Promise<AgentFile> {
  const store = given ?? (await defaultStore());
  const saved = agentFileName(path);
  const file = (await store.exists(saved)) ? saved : path;
  const found = decodeAgent(await store.read(file), file);
  if (found.notice !== null) warn(found.notice);
  return found;
}

/**
 * Loads an agent from a file. Logs a warning if the file has no checksum, because an earlier version wrote
 * it.
 * @param path The path given to {@link saveAgent}, or the file's own name.
 * @param options Spaces and other context; they override those of the file. Older files of runs may have no
 *   spaces.
 * @throws StorageError `not_found`, `corrupt` or `version`.
 *
 * @example
 * ```ts
 * const agent = await loadAgent("elite.safetensors");
 * const env = make("CartPole-v1");
 * const { observation } = env.reset({ seed: 1 });
 * const { reward } = env.step(agent.getAction(observation, { training: false }));
 * ```
 */
export async function loadAgent(
  path: string,
  { store, ...context }: StoreOption & Partial<AgentContext> = {},
): Promise<SupportedAgent> {
  const file = await read(path, store);
  return agentFromState(file.agent, { ...spacesOf(file, path, context), ...context });
}

function spacesOf(file: AgentFile, path: string, given: Partial<AgentContext> = {}) {
  const observation_space = given.observation_space ?? file.observation_space;
  const action_space = given.action_space ?? file.action_space;
  if (observation_space && action_space) return { observation_space, action_space };
  throw new StorageError(
    "version",
    path,
    "does not contain the spaces of its agent; give observation_space and action_space",
  );
}

provideAgentStore({
  save: (agent, path) => write(agent, path),
  load: async (path, context) => {
    const file = await read(path);
    return { state: file.agent, ...spacesOf(file, path, context) };
  },
});
