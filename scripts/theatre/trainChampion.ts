/** Trains a template's run until its target is reached, and plays its champion for the pictures of the galleries. */
import { runPopulation } from "../../bench/subjects/populationRun.ts";
import { agentActor } from "../../src/datasets/record.ts";
import { type TrainingManifestInput, templates } from "../../src/manifests/index.ts";
import { loadEnvironment, make } from "../../src/rl/environments.ts";
import { elementNumbers, type SingleAgentSpace } from "../../src/rl/spaces.ts";
import { type PackedPolicy, packPolicy, unpackPolicy } from "../../src/stage/packedPolicy.ts";
import type { Clip } from "../../src/stage/recording.ts";

export const SEED = 1;
/** Episodes that a champion is judged by, and of which the middle one is recorded. */
export const EPISODES = 31;

/** A champion's episode, in full. */
export interface ChampionEpisode {
  readonly clip: Clip;
  readonly seed: number;
  /** Return of the episode: the middle one of {@link EPISODES}. */
  readonly score: number;
  /** Mean return of all of them. */
  readonly mean: number;
}

export function templateOf(id: string): TrainingManifestInput & { environment: { name: string } } {
  const template = templates.find((one) => one.id === id);
  if (!template) throw new Error(`There is no template ${id}.`);
  return template.manifest;
}

type Agent = PackedPolicy["agent"];

/** One greedy episode of an agent. */
function episodeOf(agent: Agent, environment: string, seed: number): { clip: Clip; score: number } {
  const env = make(environment);
  const observation_space = env.observation_space as SingleAgentSpace;
  const action_space = env.action_space as SingleAgentSpace;
  const actor = agentActor(agent, { observation_space, action_space });
  actor.resetHiddenState?.();
  let { observation, info } = env.reset({ seed });
  const states: ArrayLike<number>[] = [Array.from(env.getState())];
  const actions: (number | null)[] = [null];
  let score = 0;
  for (let over = false; !over; ) {
    const seen = elementNumbers(observation_space, observation);
    const action = actor.getAction(seen, { training: false, info: info ?? {} });
    const step = env.step(action);
    ({ observation, info } = step);
    score += Number(step.reward);
    states.push(Array.from(env.getState()));
    actions.push(typeof action === "number" ? action : (action[0] ?? 0));
    over = Boolean(step.terminated) || Boolean(step.truncated);
  }
  actor.release();
  env.close();
  return { clip: { states, actions }, score };
}

/** The middle one of an agent's episodes. */
export function middleEpisode(agent: Agent, environment: string): ChampionEpisode {
  const all = Array.from({ length: EPISODES }, (_, at) => ({
    seed: 1000 + at,
    ...episodeOf(agent, environment, 1000 + at),
  }));
  const mean = all.reduce((sum, { score }) => sum + score, 0) / EPISODES;
  const middle = all.toSorted((a, b) => a.score - b.score)[(EPISODES - 1) / 2];
  if (!middle) throw new Error("No episode was played.");
  return { ...middle, mean };
}

/**
 * Trains a template until a member's mean return over {@link EPISODES} reaches `least`, or to the manifest's end.
 * @returns The episode of the first that did; null if none did.
 */
export async function trainChampion(
  id: string,
  least: number,
  each: (generation: number, best: number, mean: number | null) => void,
): Promise<ChampionEpisode | null> {
  const manifest = templateOf(id);
  const environment = manifest.environment.name;
  await loadEnvironment(environment);
  let found: ChampionEpisode | null = null;
  await runPopulation(
    { ...manifest, training: { ...manifest.training, target_score: null } },
    {
      seed: SEED,
      workers: 0,
      atBoundary: ({ state, report }) => {
        const fitnesses = report.members.map(({ fitness }) => fitness ?? Number.NEGATIVE_INFINITY);
        const best = Math.max(...fitnesses);
        const slot = fitnesses.indexOf(best);
        const member = state.members[slot];
        let mean: number | null = null;
        if (member && best >= least) {
          // Training continues in the memory of the state; a packed policy has what acting needs.
          const place = { environment, env_config: null, generation: report.generation, fitness: best };
          const { agent } = unpackPolicy(packPolicy({ agent: member as Agent, ...place }));
          const episode = middleEpisode(agent, environment);
          mean = episode.mean;
          if (mean >= least && episode.score >= least) found = episode;
        }
        each(report.generation, best, mean);
        return found !== null;
      },
    },
  );
  return found;
}
