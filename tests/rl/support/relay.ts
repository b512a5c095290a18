/** Environments of two agents, one of which leaves earlier: a compiled one and a custom one. */

import { randomEnvironment } from "../../../src/agents/index.ts";
import type { Tensor } from "../../../src/kernels/index.ts";
import {
  add,
  cast,
  greaterEqual,
  mul,
  reshape,
  slice,
  stackColumns,
  sub,
} from "../../../src/kernels/index.ts";
import type { ParallelEnvironment } from "../../../src/rl/faces.ts";
import { Agents, Box, Discrete, type SingleAgentSpace } from "../../../src/rl/spaces.ts";

const column = (values: Tensor, at: number): Tensor => reshape(slice(values, at, 1), [values.shape[0] ?? 1]);

/**
 * All episodes start the same. A runner moves by its choice (0, 1 or 2) and terminates at 4; a glider moves
 * by its number and terminates at 2. Rewards depend on the positions. The runner's actions are numbered from
 * 5.
 */
export const Relay = randomEnvironment({
  id: "test/Relay-v0",
  observation_space: new Agents({
    runner_0: new Box({ low: -20, high: 20, shape: [2] }),
    glider_0: new Box({ low: -20, high: 20, shape: [1] }),
  }),
  action_space: new Agents({
    runner_0: new Discrete(3, { start: 5 }),
    glider_0: new Box({ low: -1, high: 1, shape: [1] }),
  }),
  max_episode_steps: 7,
  reward_threshold: null,
  variables: ["far", "high"],
  resetDraws: 1,
  stepDraws: 0,
  reset: ([draw]) => ({ far: mul(draw as Tensor, 0), high: mul(draw as Tensor, 0) }),
  observe: ({ far, high }) => stackColumns([far, high, high]),
  step: ({ far, high }, action) => {
    const next = { far: add(far, sub(column(action, 0), 5)), high: add(high, column(action, 1)) };
    return {
      state: next,
      reward: stackColumns([mul(next.far, 0.25), sub(next.high, 1)]),
      terminated: greaterEqual(
        stackColumns([sub(next.far, 4), sub(next.high, 2)]),
        cast(mul(stackColumns([next.far, next.high]), 0), "f32"),
      ),
    };
  },
});

/** Agents see the step; their first action is legal only at odd steps. `scout_0` leaves after 2 of 5. */
export class Scouts implements ParallelEnvironment<Float32Array> {
  readonly possible_agents = ["scout_0", "carrier_0"];
  agents: readonly string[] = this.possible_agents;
  readonly observation_spaces: Record<string, SingleAgentSpace> = {
    scout_0: new Box({ low: 0, high: 9, shape: [1] }),
    carrier_0: new Box({ low: 0, high: 9, shape: [2] }),
  };
  readonly action_spaces: Record<string, SingleAgentSpace> = {
    scout_0: new Discrete(3),
    carrier_0: new Discrete(2),
  };
  /** Number of illegal actions taken. */
  illegal = 0;
  #step = 0;

  #infos(ids: readonly string[]) {
    const first = this.#step % 2;
    const masks: Record<string, number[]> = { scout_0: [first, 1, 0], carrier_0: [first, 1] };
    return Object.fromEntries(ids.map((id) => [id, { action_mask: masks[id] }]));
  }

  #observations(ids: readonly string[]) {
    const seen = (id: string) => (id === "scout_0" ? [this.#step] : [this.#step, 1]);
    return Object.fromEntries(ids.map((id) => [id, Float32Array.from(seen(id))]));
  }

  reset() {
    this.#step = 0;
    this.agents = this.possible_agents;
    return { observations: this.#observations(this.agents), infos: this.#infos(this.agents) };
  }

  step(actions: Readonly<Record<string, number | ArrayLike<number>>>) {
    const masks = this.#infos(this.agents);
    for (const id of this.agents) if (masks[id]?.action_mask?.[Number(actions[id])] !== 1) this.illegal++;
    this.#step++;
    const ids = this.agents;
    const each = <T>(of: (id: string) => T) => Object.fromEntries(ids.map((id) => [id, of(id)]));
    const gone = (id: string) => this.#step === 5 || (id === "scout_0" && this.#step === 2);
    this.agents = ids.filter((id) => !gone(id));
    return {
      observations: this.#observations(ids),
      rewards: each((id) => (id === "scout_0" ? Number(actions[id]) : 1)),
      terminations: each(gone),
      truncations: each(() => false),
      infos: this.#infos(ids),
    };
  }
}
