/** Off-policy algorithms learn the known values and actions of the probe environments. */
import { describe, expect, it } from "vitest";
import type { AgentState } from "../../../src/rl/agents/agentState.ts";
import { networkNamed } from "../../../src/rl/algorithms/algorithm.ts";
import { actionValues } from "../../../src/rl/algorithms/RainbowDQN.ts";
import { type ProbeEnvironment, probeEnvironments } from "../../../src/rl/environments/index.ts";
import type { AlgoSpecInput } from "../../../src/specs/index.ts";
import { agentOf } from "../support/agents.ts";
import { ask } from "../support/ask.ts";
import { compiledTurn, offPolicyOf } from "../support/turns.ts";

const probes = (observation: ProbeEnvironment["observation"], action: ProbeEnvironment["action"]) =>
  probeEnvironments
    .filter((probe) => probe.observation === observation && probe.action === action)
    .map((probe) => [probe.name, probe] as const);

/** An agent after a turn of `steps` environment steps in a probe. */
function trained(spec: AlgoSpecInput, { environment }: ProbeEnvironment, steps: number): AgentState {
  const { observation_space, action_space } = environment;
  const agent = agentOf(spec, { observation_space, action_space, seed: 3 });
  const off_policy = offPolicyOf({ epsilon: 1, eps_end: 1 });
  const turn = { num_envs: 4, evo_steps: steps, eval_steps: 1, off_policy };
  return compiledTurn(agent, environment, turn).agent;
}

const base = { batch_size: 32, learn_step: 2, tau: 0.05 };

describe("RainbowDQN learns the", () => {
  it.each(probes("vector", "discrete"))("%s probe", (_name, probe) => {
    const spec = { ...base, name: "RainbowDQN", lr: 3e-3, v_min: -2, v_max: 2, num_atoms: 41, noise_std: 1 };
    const agent = trained(spec as AlgoSpecInput, probe, 3000);
    const { observation_space } = probe.environment;
    const found = ask(
      agent,
      observation_space,
      probe.solution.map((facts) => facts.observation),
      (networks, obs) => actionValues(networkNamed(networks, "actor"), obs),
    );
    probe.solution.forEach(({ q }, i) => {
      for (const { action, value } of q)
        expect(Math.abs((found[i]?.[action as number] as number) - value)).toBeLessThan(0.15);
    });
  });
});

const continuous = (["DDPG", "TD3"] as const).flatMap((name) =>
  probes("vector", "continuous").map(([title, probe]) => [name, title, probe] as const),
);

describe("deterministic policies learn", () => {
  it.each(continuous)("%s: the %s probe", (name, _title, probe) => {
    const spec = { ...base, name, lr_actor: 1e-3, lr_critic: 3e-3, O_U_noise: false, expl_noise: 0.5 };
    const agent = trained(spec as AlgoSpecInput, probe, 6000);
    const { observation_space } = probe.environment;
    const critic = name === "DDPG" ? "critic" : "critic_1";
    for (const { observation, action, value } of probe.solution) {
      const [own] = ask(agent, observation_space, [observation], (networks, obs) =>
        networkNamed(networks, "actor").forward(obs),
      ) as [number[]];
      // The actor's scale is -1 to 1, the environment's 0 to 1.
      const wanted = action === null ? [] : (action as readonly number[]);
      const apart = wanted.map((x, k) => Math.abs(((own[k] as number) + 1) / 2 - x));
      expect(Math.max(0, ...apart)).toBeLessThan(0.2);
      const [q] = ask(
        agent,
        observation_space,
        [observation],
        (networks, obs, chosen) => networkNamed(networks, critic).value(obs, chosen),
        [own],
      ) as [number[]];
      expect(Math.abs((q[0] as number) - value)).toBeLessThan(0.15);
    }
  });
});
