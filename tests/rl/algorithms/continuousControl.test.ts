/** Exploration of deterministic policies. */
import { describe, expect, it } from "vitest";
import { findCompiledEnvironment } from "../../../src/rl/environments.ts";
import { agentOf } from "../support/agents.ts";
import { compiledTurn, offPolicyOf } from "../support/turns.ts";

const pendulum = findCompiledEnvironment("Pendulum-v1");
const NUM_ENVS = 4;
const DELAY = 400;
/** Transitions of the vector steps that started with at most DELAY transitions in the replay buffer. */
const WAITED = DELAY + NUM_ENVS;

/** Actions of a turn on the actor's scale, as the replay buffer stores them. */
function actions(
  name: "DDPG" | "TD3",
  { seed = 1, learning_delay = DELAY, O_U_noise = false } = {},
): number[] {
  const agent = agentOf({ name, batch_size: 16, expl_noise: 0.01, O_U_noise }, { ...pendulum, seed });
  const { off_policy } = compiledTurn(agent, pendulum, {
    num_envs: NUM_ENVS,
    evo_steps: 480,
    eval_steps: 1,
    off_policy: offPolicyOf({ learning_delay }),
  });
  return Array.from(off_policy?.written.rows.action ?? []);
}

describe.each(["DDPG", "TD3"] as const)("%s while learning waits", (name) => {
  it.each([false, true])("draws actions evenly, whatever its policy (drifting noise %s)", (O_U_noise) => {
    const found = actions(name, { O_U_noise });
    const even = found.slice(0, WAITED);
    expect(even).toHaveLength(WAITED);
    expect(Math.min(...even)).toBeGreaterThanOrEqual(-1);
    expect(Math.max(...even)).toBeLessThanOrEqual(1);
    // Each tenth of the range has 40 actions on average, with a standard deviation of 6.
    for (let tenth = 0; tenth < 10; tenth++) {
      const inside = even.filter((a) => a >= -1 + tenth / 5 && a < -0.8 + tenth / 5).length;
      expect(Math.abs(inside - WAITED / 10)).toBeLessThan(24);
    }
    const other = actions(name, { O_U_noise, seed: 2 });
    expect(other.slice(0, WAITED)).toEqual(even);
    expect(other.slice(WAITED)).not.toEqual(found.slice(WAITED));
  });

  it("follows its policy from the first step where no delay was asked for", () => {
    const found = actions(name, { learning_delay: 0 });
    // Actions of an untrained policy with little noise hardly vary.
    const first = found.slice(0, NUM_ENVS);
    expect(Math.max(...first) - Math.min(...first)).toBeLessThan(0.5);
    expect(actions(name, { learning_delay: 0, seed: 2 }).slice(0, NUM_ENVS)).not.toEqual(first);
  });
});
