/** Episodes of an agent of a run, or of a person, as a data set that other programs can read. */
import { z } from "zod";
import {
  agentActor,
  minariFiles,
  type RecordedEnvironment,
  type Recording,
  recordEpisodes,
} from "../../datasets/record.ts";
import { findEnvironment, loadEnvironment, make, type RegisteredEnvironment } from "../../rl/environments.ts";
import {
  asRegistered,
  environmentOfModule,
  sandboxedLane,
  type UserEnvironment,
} from "../../sandbox/environments.ts";
import { sha256Hex } from "../../storage/index.ts";
import { decodeKeptAgent } from "../../training/files.ts";
import type { PlayedEpisodes, RecordRequest } from "../protocol/data.ts";
import type { AgentFile } from "../protocol/stored.ts";
import type { CheckedDataset } from "./checkedDataset.ts";

/** Maximum steps: the data has to fit into a page's memory twice. */
const MOST_STEPS = 1_000_000;

const request = z.object({
  name: z.string().min(1),
  steps: z.int().min(1).max(MOST_STEPS),
  epsilon: z.number().min(0).max(1),
  seed: z.int().nonnegative(),
});

type Place = RegisteredEnvironment | UserEnvironment;

const placeOf = ({ environment, env_config, module }: AgentFile): Place =>
  module ? environmentOfModule(environment, env_config, module) : findEnvironment(environment, env_config);

/** Opens an environment; a user-written one runs in its sandbox. */
async function opened(given: Place): Promise<RecordedEnvironment & { readonly close?: () => void }> {
  const place = await asRegistered(given);
  if ("module" in place) return sandboxedLane(place);
  const { id, options = {} } = place;
  await loadEnvironment(id);
  return make(id, options);
}

/**
 * @throws RangeError naming the setting, or for a multi-agent environment; StorageError for a damaged agent;
 *   EnvironmentError for errors of a user-written environment.
 */
export async function recordedDataset(given: RecordRequest): Promise<CheckedDataset> {
  const { success, data, error } = request.safeParse(given);
  if (!success) {
    const [issue] = error.issues;
    throw new RangeError(`record.${issue?.path.join(".")}: ${issue?.message}`);
  }
  const { name, steps, epsilon, seed } = data;
  const { agent: state } = decodeKeptAgent(given.agent.bytes);
  const place = placeOf(given.agent);
  const { id, observation_space, action_space } = place;
  if (observation_space.kind === "Agents")
    throw new RangeError(`${id}: a multi-agent environment; allowed are single-agent environments`);
  const env = await opened(place);
  const actor = agentActor(state, { observation_space, action_space });
  const recording = await recordEpisodes({
    env,
    environment: id,
    actor,
    algorithm: epsilon > 0 ? `${state.algorithm}, epsilon ${epsilon}` : state.algorithm,
    steps,
    epsilon,
    seed,
  }).finally(() => {
    env.close?.();
    actor.release();
  });
  return storedRecording(recording, name);
}

/** @throws RangeError for no episodes or too many steps, or for an unknown environment. */
export async function playedDataset({
  name,
  environment,
  episodes,
}: PlayedEpisodes): Promise<CheckedDataset> {
  const { id, observation_space, action_space, max_episode_steps } = findEnvironment(environment);
  const steps = episodes.reduce((sum, { rewards }) => sum + rewards.length, 0);
  if (name === "" || steps < 1 || steps > MOST_STEPS)
    throw new RangeError(
      `keepPlayed: found ${steps} steps with the name "${name}", allowed a name and 1 to ${MOST_STEPS} steps; play an episode first`,
    );
  if (observation_space.kind === "Agents" || action_space.kind === "Agents")
    throw new RangeError(`${id}: a multi-agent environment; allowed are single-agent environments`);
  const about = { environment: id, observation_space, action_space, max_episode_steps };
  return storedRecording({ ...about, algorithm: "a person", episodes }, name);
}

async function storedRecording(recording: Recording, name: string): Promise<CheckedDataset> {
  const { environment, episodes } = recording;
  const files = await minariFiles(recording, { dataset_id: name });
  return {
    dataset: {
      name,
      sha256: await sha256Hex(files["main_data.hdf5"]),
      kind: "episodes",
      origin: "recorded",
      hub_dataset_id: null,
      environment,
      rows: episodes.reduce((sum, { rewards }) => sum + rewards.length, 0),
      episodes: episodes.length,
    },
    files: Object.entries(files).map(([file, bytes]) => ({
      name: file,
      content: new Blob([new Uint8Array(bytes)]),
    })),
  };
}
