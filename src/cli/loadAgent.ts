/** Agents that commands play with, and the environment each was trained in. */
import { z } from "zod";
import type { AgentState } from "../rl/agents/index.ts";
import { findAlgorithm } from "../rl/algorithms/registry.ts";
import type { RegisteredEnvironment } from "../rl/environments/index.ts";
import type { DistributionData } from "../rl/networks/index.ts";
import { flatSize, type Space } from "../rl/spaces/index.ts";
import { type FileStore, joinPath, parentPath, StorageError } from "../storage/index.ts";
import { decodeAgent } from "../training/agentFile.ts";
import { loadElite } from "../training/loadCheckpoint.ts";
import { RUN_FILE } from "../training/run/runCheckpoint.ts";

export interface TrainedAgent {
  readonly agent: AgentState;
  /** Id of the environment it was trained in; null where neither its file nor its checkpoint says. */
  readonly environment: string | null;
}

const SavedManifest = z.object({ manifest: z.object({ environment: z.object({ name: z.string() }) }) });

/**
 * An agent's file, or the elite of a checkpoint directory.
 * @throws StorageError "not_found", "corrupt" or "version".
 */
export async function loadAgent(store: FileStore, path: string): Promise<TrainedAgent> {
  if (path.endsWith(".safetensors")) {
    const { agent, environment } = decodeAgent(await store.read(path), path);
    return { agent, environment: environment ?? (await environmentOfRun(store, parentPath(path))) };
  }
  if (!(await store.exists(path)))
    throw new StorageError("not_found", path, "no checkpoint is there; check the path");
  return { agent: await loadElite(store, path), environment: await environmentOfRun(store, path) };
}

/** What the run says that a checkpoint directory belongs to; null where there is none. */
async function environmentOfRun(store: FileStore, dir: string): Promise<string | null> {
  const path = joinPath(dir, RUN_FILE);
  if (!(await store.exists(path))) return null;
  try {
    const run = SavedManifest.parse(JSON.parse(new TextDecoder().decode(await store.read(path))));
    return run.manifest.environment.name;
  } catch {
    return null;
  }
}

/** @throws StorageError "version" when the agent's policy does not fit the environment. */
export function requireFit(agent: AgentState, env: RegisteredEnvironment, path: string): void {
  const policy = agent.networks[findAlgorithm(agent.algorithm).policy]?.data;
  if (!policy) throw new StorageError("corrupt", path, "holds no policy network; take another file");
  const first = policy.encoder && policy.encoder !== "shared" ? policy.encoder : policy.head;
  const found = [first.inputs, policy.head.outputs];
  const wanted = [env.observation_space, env.action_space].map(flatSize);
  const choosesAsEnv =
    policy.distribution === null || policy.distribution.kind === DISTRIBUTIONS[env.action_space.kind];
  if (found.join() === wanted.join() && choosesAsEnv) return;
  throw new StorageError(
    "version",
    path,
    `holds an agent with ${found[0]} inputs and ${found[1]} outputs, ${env.id} has ${wanted[0]} and ${wanted[1]}; ` +
      "name the environment it was trained in",
  );
}

/** How a stochastic actor draws actions of each kind of space. */
const DISTRIBUTIONS: Partial<Record<Space["kind"], DistributionData["kind"]>> = {
  Discrete: "categorical",
  MultiDiscrete: "multi_categorical",
  MultiBinary: "bernoulli",
  Box: "normal",
};
