/** Plays episodes and keeps every step. */

import { Random } from "../../evolution/random.ts";
import { hostKey } from "../../kernels/functions/random.ts";
import { infoMasks } from "../../rl/environments/face/actionMasks.ts";
import { sampleLegal } from "../../rl/environments/face/sampleLegal.ts";
import type { HostEnvironment } from "../../rl/environments/index.ts";
import type { SingleAgentSpace } from "../../rl/spaces/index.ts";
import { Numbers, type RecordedEpisode, type Recording } from "./Recording.ts";

/** Chooses actions; an agent of reinforcement learning is one. */
export interface Actor {
  getAction(
    observation: ArrayLike<number>,
    options: { readonly training: false; readonly info?: Readonly<Record<string, unknown>> },
  ): number | ArrayLike<number>;
  /** Forgets the episode that ended, where it remembers any. */
  resetHiddenState?(): void;
}

type Later<T> = T | Promise<T>;

/** An environment of one agent, which may be stepped elsewhere. */
export interface RecordedEnvironment
  extends Pick<HostEnvironment, "observation_space" | "action_space" | "spec"> {
  reset(...given: Parameters<HostEnvironment["reset"]>): Later<ReturnType<HostEnvironment["reset"]>>;
  step(...given: Parameters<HostEnvironment["step"]>): Later<ReturnType<HostEnvironment["step"]>>;
}

export interface RecordOptions {
  readonly env: RecordedEnvironment;
  /** Id of the environment. */
  readonly environment: string;
  /** Null acts at random, among what is legal. */
  readonly actor: Actor | null;
  /** Who acts, in a few words. */
  readonly algorithm: string;
  readonly steps: number;
  /** Chance of a random action; 0 unless given. */
  readonly epsilon?: number;
  readonly seed: number;
}

/** What the draws of episodes are for. */
const PURPOSE = { reset: 1, act: 2 } as const;

/** A seed of an environment's own: 31 bits, which every kind of generator takes. */
const seedOf = (seed: number, episode: number): number => hostKey(seed, PURPOSE.reset, episode)[0] >>> 1;

const listOf = (value: number | ArrayLike<number>): ArrayLike<number> =>
  typeof value === "number" ? [value] : value;

/**
 * Episodes of so many steps together; the last one is cut there. The same seed gives the same episodes.
 * @throws What the environment throws, and RangeError for a mask that does not fit its actions.
 */
export async function recordEpisodes({
  env,
  environment,
  actor,
  algorithm,
  steps,
  epsilon = 0,
  seed,
}: RecordOptions): Promise<Recording> {
  const observation_space = env.observation_space as SingleAgentSpace;
  const action_space = env.action_space as SingleAgentSpace;
  const episodes: RecordedEpisode[] = [];
  const act = (observation: ArrayLike<number>, info: Readonly<Record<string, unknown>>, random: Random) => {
    if (actor !== null && random.uniform() >= epsilon)
      return actor.getAction(observation, { training: false, info });
    const action = sampleLegal(action_space, random, infoMasks(action_space, [info]));
    // A Discrete action is one number.
    return action_space.kind === "Discrete" ? (action[0] as number) : action;
  };
  for (let left = steps; left > 0; ) {
    const id = episodes.length;
    const random = new Random({ seed: hostKey(seed, PURPOSE.act, id)[0] });
    const observations = new Numbers();
    const actions = new Numbers();
    const rewards = new Numbers();
    actor?.resetHiddenState?.();
    let { observation, info } = await env.reset({ seed: seedOf(seed, id) });
    observations.add(listOf(observation));
    let [terminated, truncated] = [false, false];
    while (!terminated && !truncated) {
      const action = act(listOf(observation), info ?? {}, random);
      const step = await env.step(action);
      actions.add(listOf(action));
      rewards.add([Number(step.reward)]);
      observations.add(listOf(step.observation));
      ({ observation, info } = step);
      left--;
      terminated = Boolean(step.terminated);
      truncated = !terminated && (Boolean(step.truncated) || left === 0);
    }
    episodes.push({
      id,
      seed: seedOf(seed, id),
      observations: Float32Array.from(observations.values),
      actions: Float32Array.from(actions.values),
      rewards: rewards.values,
      terminated,
      truncated,
    });
  }
  const max_episode_steps = env.spec?.max_episode_steps ?? null;
  return { observation_space, action_space, environment, max_episode_steps, algorithm, episodes };
}

/** Sum of an episode's rewards. */
export const returnOf = ({ rewards }: RecordedEpisode): number => rewards.reduce((sum, x) => sum + x, 0);
