/** Plays episodes and records every step. */

import { agentFromState } from "../../agents/classes.ts";
import type { AgentState } from "../../agents/members.ts";
import { Random } from "../../evolution/random.ts";
import { hostKey } from "../../kernels/functions.ts";
import { type HostEnvironment, hasMask, type Info, infoMasks, sampleLegal } from "../../rl/faces.ts";
import { type AgentSpaces, elementNumbers, type SingleAgentSpace } from "../../rl/spaces.ts";
import { Numbers, type RecordedEpisode, type Recording } from "./Recording.ts";

/** An agent's state as an actor for recording. */
interface AgentActor extends Actor {
  release(): void;
}

/**
 * An agent that acts greedily. The caller releases it.
 * @throws RangeError if the agent does not fit the spaces.
 */
export function agentActor(state: AgentState, { observation_space, action_space }: AgentSpaces): AgentActor {
  const agent = agentFromState(state, { observation_space, action_space, hp_config: null });
  return {
    getAction: (observation, { info }) =>
      // For a single agent's observation, the action is a single agent's too.
      agent.getAction(observation as Float32Array, { training: false, ...(info ? { info } : {}) }) as number,
    resetHiddenState: () => agent.resetHiddenState(),
    release: () => agent.release(),
  };
}

/** Chooses actions; reinforcement-learning agents fit this interface. */
export interface Actor {
  getAction(
    observation: ArrayLike<number>,
    options: { readonly training: false; readonly info?: Readonly<Record<string, unknown>> },
  ): number | ArrayLike<number>;
  /** Clears any recurrent state of the last episode. */
  resetHiddenState?(): void;
}

type Later<T> = T | Promise<T>;

/** A single-agent environment, which may run elsewhere and reply asynchronously. */
export interface RecordedEnvironment
  extends Pick<HostEnvironment, "observation_space" | "action_space" | "spec"> {
  reset(...given: Parameters<HostEnvironment["reset"]>): Later<ReturnType<HostEnvironment["reset"]>>;
  step(...given: Parameters<HostEnvironment["step"]>): Later<ReturnType<HostEnvironment["step"]>>;
}

interface RecordOptions {
  readonly env: RecordedEnvironment;
  /** Id of the environment. */
  readonly environment: string;
  /** `null` acts at random among the legal actions. */
  readonly actor: Actor | null;
  /** Short description of the policy. */
  readonly algorithm: string;
  readonly steps: number;
  /** Probability of a random action (default: 0). */
  readonly epsilon?: number;
  readonly seed: number;
}

/** Purposes of the random draws, which keep their streams apart. */
const PURPOSE = { reset: 1, act: 2 } as const;

/** Seed of an episode's environment: 31 bits, which every kind of generator accepts. */
const seedOf = (seed: number, episode: number): number => hostKey(seed, PURPOSE.reset, episode)[0] >>> 1;

const listOf = (value: number | ArrayLike<number>): ArrayLike<number> =>
  typeof value === "number" ? [value] : value;

/**
 * Records episodes with `steps` steps in total; the last one is truncated there. The same
 * seed gives the same episodes.
 * @throws Errors of the environment, and RangeError for a mask that does not fit its actions.
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
  let isMasked = false;
  const act = (observation: ArrayLike<number>, info: Readonly<Record<string, unknown>>, random: Random) => {
    if (actor !== null && random.uniform() >= epsilon)
      return actor.getAction(observation, { training: false, info });
    const action = sampleLegal(action_space, random, infoMasks(action_space, [info]));
    // A Discrete action is a single number.
    return action_space.kind === "Discrete" ? (action[0] as number) : action;
  };
  for (let left = steps; left > 0; ) {
    const id = episodes.length;
    const random = new Random({ seed: hostKey(seed, PURPOSE.act, id)[0] });
    const observations = new Numbers();
    const actions = new Numbers();
    const rewards = new Numbers();
    const masks = new Numbers();
    const addMask = (info: Info, isOver: boolean): void => {
      const mask = infoMasks(action_space, [info], [Number(isOver)]);
      isMasked ||= mask !== null && hasMask(info);
      masks.add(mask ?? []);
    };
    actor?.resetHiddenState?.();
    let { observation, info } = await env.reset({ seed: seedOf(seed, id) });
    observations.add(elementNumbers(observation_space, observation));
    addMask(info ?? {}, false);
    let [terminated, truncated] = [false, false];
    while (!terminated && !truncated) {
      const action = act(elementNumbers(observation_space, observation), info ?? {}, random);
      const step = await env.step(action);
      actions.add(listOf(action));
      rewards.add([Number(step.reward)]);
      observations.add(elementNumbers(observation_space, step.observation));
      ({ observation, info } = step);
      left--;
      terminated = Boolean(step.terminated);
      truncated = !terminated && (Boolean(step.truncated) || left === 0);
      addMask(info ?? {}, terminated);
    }
    episodes.push({
      id,
      seed: seedOf(seed, id),
      observations: Float32Array.from(observations.values),
      actions: Float32Array.from(actions.values),
      rewards: rewards.values,
      masks: Int8Array.from(masks.values),
      terminated,
      truncated,
    });
  }
  if (!isMasked) for (const [i, episode] of episodes.entries()) episodes[i] = { ...episode, masks: null };
  const max_episode_steps = env.spec?.max_episode_steps ?? null;
  return { observation_space, action_space, environment, max_episode_steps, algorithm, episodes };
}

/** Sum of an episode's rewards. */
export const returnOf = ({ rewards }: RecordedEpisode): number => rewards.reduce((sum, x) => sum + x, 0);
