/** Saves and loads agents, also behind `agent.save()` and `DQN.load()`. */
import {
  type AgentContext,
  agentFromState,
  provideAgentStore,
  type SupportedAgent,
} from "../rl/agents/index.ts";
import { type FileStore, StorageError } from "../storage/index.ts";
import { type AgentFile, decodeAgent, encodeAgent } from "./agentFile.ts";
import { defaultStore } from "./defaultStore.ts";

export interface StoreOption {
  /** Where the file lies; the disk in Node, OPFS in a browser unless given. */
  readonly store?: FileStore;
}

/** Writes an agent's file. @throws StorageError `full`, `locked` or `io`. */
export async function saveAgent(
  agent: SupportedAgent,
  path: string,
  { store }: StoreOption = {},
): Promise<void> {
  const { state, observation_space, action_space } = agent;
  await (store ?? (await defaultStore())).write(
    path,
    encodeAgent(state, { observation_space, action_space }),
  );
}

/**
 * Reads an agent's file.
 * @param options Spaces and the like win over those of the file; older files of runs may have none.
 * @throws StorageError `not_found`, `corrupt` or `version`.
 */
export async function loadAgent(
  path: string,
  { store, ...context }: StoreOption & Partial<AgentContext> = {},
): Promise<SupportedAgent> {
  const file = decodeAgent(await (store ?? (await defaultStore())).read(path), path);
  return agentFromState(file.agent, { ...spacesOf(file, path, context), ...context });
}

function spacesOf(file: AgentFile, path: string, given: Partial<AgentContext> = {}) {
  const observation_space = given.observation_space ?? file.observation_space;
  const action_space = given.action_space ?? file.action_space;
  if (observation_space && action_space) return { observation_space, action_space };
  throw new StorageError(
    "version",
    path,
    "does not say which observations and actions its agent has; give observation_space and action_space",
  );
}

provideAgentStore({
  save: async ({ state, observation_space, action_space }, path) => {
    await (await defaultStore()).write(path, encodeAgent(state, { observation_space, action_space }));
  },
  load: async (path, context) => {
    const file = decodeAgent(await (await defaultStore()).read(path), path);
    return { state: file.agent, ...spacesOf(file, path, context) };
  },
});
