/** Members in a compiled environment with action masks, by themselves and as lanes of the host. */
import { describe, expect, it } from "vitest";
import type { AlgoSpecInput } from "../../../src/manifests/index.ts";
import { findCompiledEnvironment, makeVector } from "../../../src/rl/environments.ts";
import { infoMasks } from "../../../src/rl/faces.ts";
import { PLAIN_MEMORY } from "../../../src/rl/programs.ts";
import { agentOf } from "../../rl/support/agents.ts";
import { compiledTurn, hostTurn } from "../../rl/support/turns.ts";

const options = { action_mask: true };
const kind = { ...PLAIN_MEMORY, masked: true } as const;
const network = { latent_dim: 16, encoder_config: { hidden_size: [16] }, head_config: { hidden_size: [16] } };

describe.each<AlgoSpecInput>([
  { name: "PPO", batch_size: 64, learn_step: 256 },
  { name: "DQN", batch_size: 64, learn_step: 8 },
  { name: "RainbowDQN", batch_size: 64, learn_step: 8 },
])("$name", (spec) => {
  // A step costs 1, and 10 if it is a forbidden pick-up or drop-off. Episodes have at most 200 steps.
  it.each(["compiled", "host"])("takes only legal actions: %s", (place) => {
    const env = findCompiledEnvironment("Taxi-v3", options);
    const agent = agentOf(spec, { ...env, network });
    const { score, fitness } =
      place === "compiled"
        ? compiledTurn(agent, env, { evo_steps: 1000 })
        : hostTurn(agent, makeVector("Taxi-v3", 4, options), { evo_steps: 1000 }, { kind });
    expect(score).toBeGreaterThanOrEqual(-200);
    expect(fitness).toBeGreaterThanOrEqual(-200);
  });
});

it("tells the masks of the last observation and of the next one", () => {
  const env = makeVector("Taxi-v3", 2, { ...options, max_episode_steps: 3 });
  const space = env.single_action_space;
  let { info } = env.reset({ seed: 4 });
  for (let t = 0; t < 6; t++) {
    const masks = infoMasks(space, info) ?? new Float32Array();
    const next = env.step([0, 1].map((lane) => masks.subarray(6 * lane, 6 * lane + 6).lastIndexOf(1)));
    expect([...next.reward].every((reward) => reward > -10)).toBe(true);
    const [own, after] = [next.final_info, next.info].map((infos) => infoMasks(space, infos));
    expect(own).not.toEqual(masks);
    expect(String(after) === String(own)).toBe(next.truncated[0] === 0);
    ({ info } = next);
  }
});
