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
 * @param explores Whether it acts as in training: a policy's samples, or actions with noise.
 * @throws RangeError if the agent does not fit the spaces.
 */
export function agentActor(
  state: AgentState,
  { observation_space, action_space }: AgentSpaces,
  explores = false,
): AgentActor {
  const agent = agentFromState(state, { observation_space, action_space, hp_config: null });
  return {
    getAction: (observation, { info = {} }) => {
      const action_mask = hasMask(info) ? infoMasks(action_space, [info]) : null;
      // For a single agent's observation, the action is a single agent's too.
      return agent.getAction(observation as Float32Array, { training: explores, action_mask }) as number;
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

interface RecordedBy {
  readonly env: RecordedEnvironment;
  /** Id of the environment. */
  readonly environment: string;
  /** Short description of the policy. */
  readonly algorithm: string;
  readonly steps: number;
  /** Probability of a random action (default: 0). */
  readonly epsilon?: number;
  readonly seed: number;
}

interface RecordOptions extends RecordedBy {
  /** `null` acts at random among the legal actions. */
  readonly actor: Actor | null;
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
export async function recordEpisodes({ actor, steps, ...options }: RecordOptions): Promise<Recording> {
  const episodes = new Episodes(options);
  const isCut = (): boolean => episodes.steps === steps;
  while (episodes.steps < steps) await episodes.play(actor, isCut);
  return episodes.recording;
}

interface TurnOptions extends RecordedBy {
  /** Policies, from the first to the last; each is drawn after the one before it has played. */
  readonly actors: Iterable<Actor | null>;
  /** How many there are. */
  readonly count: number;
  /** Fewest episodes of each (default: 0). */
  readonly least?: number;
}

/**
 * Records whole episodes of several policies, which share `steps` equally; the last episode of each may go beyond its
 * share.
 * @throws as {@link recordEpisodes}.
 */
export async function recordInTurn({
  actors,
  count,
  steps,
  least = 0,
  ...options
}: TurnOptions): Promise<Recording> {
  const episodes = new Episodes(options);
  let turn = 0;
  for (const actor of actors) {
    turn += 1;
    for (let own = 0; own < least || episodes.steps < (turn * steps) / count; own++)
      await episodes.play(actor);
  }
  return episodes.recording;
}

class Episodes {
  /** Steps so far. */
  steps = 0;
  readonly #recorder: Recorder;
  readonly #done: RecordedEpisode[] = [];
  readonly #epsilon: number;
  readonly #seed: number;

  constructor({ epsilon = 0, seed, ...about }: Omit<RecordedBy, "steps">) {
    this.#recorder = new Recorder(about);
    this.#epsilon = epsilon;
    this.#seed = seed;
  }

  get recording(): Recording {
    return this.#recorder.recording(this.#done);
  }

  async play(actor: Actor | null, isCut = (): boolean => false): Promise<void> {
    const { action_space } = this.#recorder;
    const id = this.#done.length;
    const random = new Random({ seed: hostKey(this.#seed, PURPOSE.act, id)[0] });
    actor?.resetHiddenState?.();
    const act: Act = (observation, info) => {
      this.steps += 1;
      if (actor !== null && random.uniform() >= this.#epsilon)
        return actor.getAction(observation, { training: false, info });
      const action = sampleLegal(action_space, random, infoMasks(action_space, [info]));
      // A Discrete action is a single number.
      return action_space.kind === "Discrete" ? (action[0] as number) : action;
    };
    this.#done.push(await this.#recorder.episode({ id, seed: seedOf(this.#seed, id), act, isCut }));
  }
}
