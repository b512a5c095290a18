/**
 * An environment as a policy plays it: one row of observations, one row of actions, for one agent or several.
 */

import {
  findEnvironment,
  type HostEnvironmentDefinition,
  loadEnvironment,
  make,
  type RegisteredEnvironment,
} from "../rl/environments.ts";
import { infoMasks } from "../rl/faces.ts";
import { type Agents, elementNumbers, elementSize, type Space, type SpaceElement } from "../rl/spaces.ts";

/** The policy's input for its next action. */
export interface Situation {
  /** [numbers of the observation]; several agents side by side, with zeros for those that have left. */
  readonly observation: ArrayLike<number>;
  /** 1 for each legal choice; null for actions that are not choices, or if no agent acts any more. */
  readonly mask: ArrayLike<number> | null;
}

interface Outcome extends Situation {
  /** Summed over all agents. */
  readonly reward: number;
  /** Whether the episode terminated or was truncated. */
  readonly ended: boolean;
}

/** One instance of an environment. */
export interface PlayedEnvironment {
  reset(seed: number): Situation;
  /** @param action In the environment's format; several agents side by side. */
  step(action: readonly number[]): Outcome;
  /** In the form that its drawing function takes. */
  state(): ArrayLike<number>;
  close(): void;
}

/** Makes an instance of a loaded environment. */
export function playedEnvironment(env: RegisteredEnvironment): PlayedEnvironment {
  const { observation_space, action_space } = env;
  return observation_space.kind === "Agents" && action_space.kind === "Agents"
    ? playedByTeam(env, observation_space, action_space)
    : playedByOne(env, observation_space, action_space);
}

/**
 * Compiles a registered environment ahead of its players: instances share its programs, and browsers compile those only
 * when they run for the first time.
 * @throws Error for an unknown environment.
 */
export async function rehearse(id: string): Promise<void> {
  await loadEnvironment(id);
  const env = findEnvironment(id, null);
  const played = playedEnvironment(env);
  played.reset(0);
  played.step(Array.from({ length: elementSize(env.action_space) }, () => 0));
  played.close();
}

type Known = Pick<HostEnvironmentDefinition, "id" | "options">;

function playedByOne({ id, options }: Known, observed: Space, action_space: Space): PlayedEnvironment {
  const env = make(id, options);
  return {
    reset: (seed) => {
      const { observation, info } = env.reset({ seed });
      return { observation: elementNumbers(observed, observation), mask: infoMasks(action_space, [info]) };
    },
    step: (action) => {
      const taken = env.step(action_space.kind === "Discrete" ? (action[0] ?? 0) : action);
      const ended = taken.terminated || taken.truncated;
      return {
        observation: elementNumbers(observed, taken.observation),
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

/** The agents' joint observation, with zeros for agents that have left. */
function jointRow(space: Agents, observations: Readonly<Record<string, SpaceElement>>): Float32Array {
  const joint = new Float32Array(elementSize(space));
  for (const { id, space: seen, start } of space.agents) {
    const own = observations[id];
    if (own !== undefined) joint.set(elementNumbers(seen, own), start);
  }
  return joint;
}
