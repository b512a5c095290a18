/** The recurrent state of networks for each environment, outside programs. */
import { networkMemory } from "../../rl/networks.ts";
import type { AgentState } from "./agentState.ts";

/**
 * Recurrent state, [num_envs, width] each, by name ("actor.encoder.h0"); empty if no network is recurrent.
 */
export type HiddenState = Readonly<Record<string, Float32Array>>;

/** Widths of the recurrent state of an agent's networks, by name; empty if no network is recurrent. */
export const hiddenSizes = ({ networks }: Pick<AgentState, "networks">): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(networks).flatMap(([network, { data }]) =>
      networkMemory(data).map(({ name, size }) => [`${network}.${name}`, size]),
    ),
  );

/** The recurrent state before an episode's first step: zeros. */
export const emptyHiddenState = (agent: Pick<AgentState, "networks">, num_envs: number): HiddenState =>
  Object.fromEntries(
    Object.entries(hiddenSizes(agent)).map(([name, width]) => [name, new Float32Array(num_envs * width)]),
  );

/** A copy with zeros for lanes whose episodes ended (1 in `done` [num_envs]). */
export const withoutEnded = (hidden: HiddenState, done: ArrayLike<number>): HiddenState =>
  Object.fromEntries(
    Object.entries(hidden).map(([name, values]) => {
      const width = values.length / done.length;
      return [name, values.map((value, i) => (done[Math.floor(i / width)] ? 0 : value))];
    }),
  );

/** @throws RangeError naming the part that is missing or has another length. */
export function requireHiddenState(
  agent: Pick<AgentState, "networks">,
  num_envs: number,
  hidden: HiddenState,
): void {
  for (const [name, width] of Object.entries(hiddenSizes(agent))) {
    const found = hidden[name]?.length ?? 0;
    if (found !== num_envs * width)
      throw new RangeError(`hidden_state.${name}: found ${found} numbers, allowed ${num_envs * width}`);
  }
}
