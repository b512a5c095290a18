/** Finds settings that require more resources than any machine has. */

import { MOST_DRAWS } from "../../evolution/members.ts";
import { algorithmDefinition, type SpecIssue, type TrainingManifest } from "../../manifests/index.ts";
import { LARGEST_COUNT } from "../../specs/messages.ts";
import { estimateRun, type LivePlace, numbersOf, type RunEstimate, tournamentSize } from "./estimateRun.ts";
import { excessIssues, inArray, inMemory, inThread, inTime, type Limit, type Path } from "./excess.ts";

/** Limit of the members that selection draws for each generation. */
export const inDraws = (draws: number): Limit => ({
  needs: draws,
  most: MOST_DRAWS,
  words: `needs ${draws} draws for each generation's selection (pop_size x tournament_size), allowed: at most ${MOST_DRAWS}`,
});

function limitsOf(estimate: RunEstimate): Limit[] {
  const { total_bytes, thread_bytes, array_bytes, setup_seconds, step_seconds } = estimate;
  const { selection_draws, episode_steps } = estimate;
  return [
    inThread(thread_bytes),
    inArray(array_bytes),
    inMemory(total_bytes),
    inTime(setup_seconds, "to draw the initial weights"),
    inTime(step_seconds, "between two points at which it can be stopped"),
    inDraws(selection_draws),
    {
      needs: episode_steps,
      most: LARGEST_COUNT,
      words: `needs ${episode_steps} steps for an episode, allowed: at most ${LARGEST_COUNT}`,
    },
  ];
}

/** Paths and values of the numbers that determine sizes. */
function sizesOf(manifest: TrainingManifest): [Path, number][] {
  const { algorithm, environment, training, network, mutation, replay_buffer } = manifest;
  const { num_envs_field } = algorithmDefinition(algorithm.name);
  const { env_config } = environment as { readonly env_config?: unknown };
  return numbersOf({
    environment: { num_envs: environment.num_envs, env_config },
    replay_buffer: replay_buffer?.kind === "classic" ? { max_size: replay_buffer.max_size } : null,
    network,
    mutation: network === null ? { network: mutation?.network } : null,
    algorithm: num_envs_field === null ? algorithm : { ...algorithm, [num_envs_field]: null },
    training: { pop_size: training.pop_size },
    selection_strategy: { tournament_size: tournamentSize(manifest) },
  });
}

/** Issues for the settings that cause an estimate to exceed a limit, worst first. */
export const sizeIssues = (manifest: TrainingManifest, live: LivePlace | null = null): SpecIssue[] =>
  excessIssues(manifest, { limitsOf: (each) => limitsOf(estimateRun(each, live)), sizesOf });
