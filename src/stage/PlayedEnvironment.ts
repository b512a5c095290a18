/** An environment as a policy plays it: one row of numbers seen, one row of numbers done, whether for one agent or several. */

import { infoMasks } from "../rl/environments/face/actionMasks.ts";
import {
  type HostEnvironmentDefinition,
  make,
  type RegisteredEnvironment,
} from "../rl/environments/index.ts";
import { type Agents, elementSize, type Space, type SpaceValue } from "../rl/spaces/index.ts";

/** What the next action is chosen by. */
export interface Situation {
  /** [numbers of the observation]; of several agents side by side, zeros of those that have left. */
  readonly observation: ArrayLike<number>;
  /** 1 for each legal choice; null where actions are no choice, or nobody chooses any more. */
  readonly mask: ArrayLike<number> | null;
}

export interface Outcome extends Situation {
  /** Of all agents together. */
  readonly reward: number;
  /** The task ended, or its time was up. */
  readonly ended: boolean;
}

/** One instance of an environment. */
export interface PlayedEnvironment {
  reset(seed: number): Situation;
  /** @param action As the environment takes it; of several agents side by side. */
  step(action: readonly number[]): Outcome;
  /** As its drawing takes it. */
  state(): ArrayLike<number>;
  close(): void;
}

/** An instance of an environment that is loaded. */
export function playedEnvironment(env: RegisteredEnvironment): PlayedEnvironment {
  const { observation_space, action_space } = env;
  return observation_space.kind === "Agents" && action_space.kind === "Agents"
    ? playedByTeam(env, observation_space, action_space)
    : playedByOne(env, action_space);
}

type Known = Pick<HostEnvironmentDefinition, "id" | "options">;

function playedByOne({ id, options }: Known, action_space: Space): PlayedEnvironment {
  const env = make(id, options);
  return {
    reset: (seed) => {
      const { observation, info } = env.reset({ seed });
      return { observation: row(observation), mask: infoMasks(action_space, [info]) };
    },
    step: (action) => {
      const taken = env.step(action_space.kind === "Discrete" ? (action[0] ?? 0) : action);
      const ended = taken.terminated || taken.truncated;
      return {
        observation: row(taken.observation),
        mask: ended ? null : infoMasks(action_space, [taken.info]),
        reward: taken.reward,
        ended,
      };
    },
    state: () => env.getState(),
    close: () => env.close(),
  };
}

function playedByTeam({ id, options }: Known, observed: Agents, acted: Agents): PlayedEnvironment {
  const env = make<"parallel">(id, options);
  return {
    reset: (seed) => {
      const { observations, infos } = env.reset({ seed });
      return { observation: jointRow(observed, observations), mask: infoMasks(acted, [infos]) };
    },
    step: (action) => {
      const each = acted.split(action);
      const taken = env.step(Object.fromEntries(env.agents.map((own) => [own, each[own] ?? 0])));
      const gone = acted.ids.map((id) => Number(taken.terminations[id] ?? false));
      const ended = env.agents.length === 0 || Object.values(taken.truncations).some(Boolean);
      return {
        observation: jointRow(observed, taken.observations),
        mask: ended ? null : infoMasks(acted, [taken.infos], gone),
        reward: Object.values(taken.rewards).reduce((sum, reward) => sum + reward, 0),
        ended,
      };
    },
    state: () => env.getState(),
    close: () => env.close(),
  };
}

const row = (value: SpaceValue): ArrayLike<number> => (typeof value === "number" ? [value] : value);

/** What all agents observe, zeros of those that have left. */
function jointRow(space: Agents, observations: Readonly<Record<string, SpaceValue>>): Float32Array {
  const joint = new Float32Array(elementSize(space));
  for (const { id, start } of space.agents) {
    const own = observations[id];
    if (own !== undefined) joint.set(row(own), start);
  }
  return joint;
}
