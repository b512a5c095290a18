/** Plays episodes and records every step. */

import { agentFromState } from "../../agents/classes.ts";
import type { AgentState } from "../../agents/members.ts";
import { Random } from "../../evolution/random.ts";
import { hostKey } from "../../kernels/functions.ts";
import { hasMask, infoMasks, sampleLegal } from "../../rl/faces.ts";
import type { AgentSpaces } from "../../rl/spaces.ts";
import { type Act, type RecordedEnvironment, Recorder } from "./Recorder.ts";
import type { RecordedEpisode, Recording } from "./Recording.ts";

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
    getAction: (observation, { info = {} }) => {
      const action_mask = hasMask(info) ? infoMasks(action_space, [info]) : null;
      // For a single agent's observation, the action is a single agent's too.
      return agent.getAction(observation as Float32Array, { training: false, action_mask }) as number;
    },
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
  const recorder = new Recorder({ env, environment, algorithm });
  const { action_space } = recorder;
  const episodes: RecordedEpisode[] = [];
  for (let left = steps; left > 0; ) {
    const id = episodes.length;
    const random = new Random({ seed: hostKey(seed, PURPOSE.act, id)[0] });
    actor?.resetHiddenState?.();
    const act: Act = (observation, info) => {
      if (actor !== null && random.uniform() >= epsilon)
        return actor.getAction(observation, { training: false, info });
      const action = sampleLegal(action_space, random, infoMasks(action_space, [info]));
      // A Discrete action is a single number.
      return action_space.kind === "Discrete" ? (action[0] as number) : action;
    };
    const isCut = (): boolean => --left === 0;
    episodes.push(await recorder.episode({ id, seed: seedOf(seed, id), act, isCut }));
  }
  return recorder.recording(episodes);
}
