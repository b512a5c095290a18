/** Off-policy algorithms learn the known values and actions of the probe environments. */
// @apart: its programs and devices fill much memory.

import { describe, expect, it } from "vitest";
import { type ProbeEnvironment, probeEnvironments } from "../../../../src/agents/index.ts";
import { type AgentState, findAlgorithm } from "../../../../src/agents/members.ts";
import type { Tensor } from "../../../../src/kernels/index.ts";
import type { AlgoSpecInput } from "../../../../src/manifests/index.ts";
import { networkNamed } from "../../../../src/rl/contract/network.ts";
import type { Networks, OffPolicyAlgorithm } from "../../../../src/rl/contract.ts";
import { actionValues } from "../../../../src/rl/definitions.ts";
import { agentOf, SMALL_NETWORK } from "../../support/agents.ts";
import { compiledTurn, offPolicyOf } from "../../support/turns.ts";
import { ask } from "../support/ask.ts";
import { isWhole } from "../support/wholeProbes.ts";

const FORMS = ["vector", "image", "mixed"] as const;

/** The probes of vectors. Of the others the one whose best action is what is observed, which encoders decide. */
const probes = (observation: ProbeEnvironment["observation"], action: ProbeEnvironment["action"]) =>
  probeEnvironments
    .filter((probe) => probe.observation === observation && probe.action === action)
    .filter((probe) => (observation === "vector" ? isWhole(probe) : probe.name === "Policy"))
    .map((probe) => [probe.name, probe] as const);

const cnn = { channel_size: [8], kernel_size: [3], stride_size: [1] };
const NETWORKS = {
  vector: SMALL_NETWORK,
  image: { latent_dim: 16, encoder_config: cnn },
  mixed: { latent_dim: 16, encoder_config: { cnn_config: cnn } },
};

const agentFor = (
  spec: AlgoSpecInput,
  { observation, environment: { observation_space, action_space } }: ProbeEnvironment,
): AgentState => agentOf(spec, { observation_space, action_space, network: NETWORKS[observation], seed: 3 });

/** An agent after `steps` environment steps in a probe. Epsilon-greedy algorithms always act at random. */
function trained(spec: AlgoSpecInput, probe: ProbeEnvironment, steps: number): AgentState {
  const off_policy = offPolicyOf({ epsilon: 1, eps_end: 1 });
  const turn = { num_envs: 4, evo_steps: steps, eval_steps: 1, off_policy };
  return compiledTurn(agentFor(spec, probe), probe.environment, turn).agent;
}

/**
 * Like {@link trained}, but with `steps` random transitions in the replay buffer, which are not overwritten.
 */
function trainedAfterRandomPlay(spec: AlgoSpecInput, probe: ProbeEnvironment, steps: number): AgentState {
  const segment = 2 * steps;
  const turn = { num_envs: 4, evo_steps: steps, eval_steps: 1 };
  const random = offPolicyOf({ epsilon: 1, eps_end: 1, learning_delay: segment });
  const player = agentFor({ name: "DQN" }, probe);
  const played = compiledTurn(player, probe.environment, { ...turn, off_policy: random }).off_policy;
  if (!played) throw new Error("DQN wrote no transitions");
  const off_policy = offPolicyOf({ ring: { position: steps, count: steps } });
  const memory = { segment, held: played.written.rows };
  return compiledTurn(agentFor(spec, probe), probe.environment, { ...turn, off_policy }, memory).agent;
}

/** The largest error of action values. */
function worstValue(
  agent: AgentState,
  { environment, solution }: ProbeEnvironment,
  values: (networks: Networks, obs: Tensor) => Tensor,
): number {
  const observations = solution.map((facts) => facts.observation);
  const found = ask(agent, environment.observation_space, observations, values);
  const errors = solution.flatMap(({ q }, i) =>
    q.map(({ action, value }) => Math.abs((found[i]?.[action as number] ?? Number.NaN) - value)),
  );
  return Math.max(...errors);
}

const base = { batch_size: 32, learn_step: 2, tau: 0.05 };

describe.each(FORMS)("DQN learns the values of %s probes:", (form) => {
  it.each(probes(form, "discrete"))("%s", (_name, probe) => {
    const agent = trained({ ...base, name: "DQN", lr: 3e-3 }, probe, 3000);
    const values = (networks: Networks, obs: Tensor) => networkNamed(networks, "actor").forward(obs);
    expect(worstValue(agent, probe, values)).toBeLessThan(0.1);
  });
});

describe.each(FORMS)("RainbowDQN learns the values of %s probes:", (form) => {
  const spec = {
    ...base,
    name: "RainbowDQN",
    lr: 3e-3,
    v_min: -2,
    v_max: 2,
    num_atoms: 41,
    noise_std: 1,
  } as const;

  // Rainbow explores only by its noise, and an action that it never tries keeps its initial value.
  it.each(probes(form, "discrete"))("%s", (_name, probe) => {
    const agent = trainedAfterRandomPlay(spec, probe, 1000);
    const values = (networks: Networks, obs: Tensor) => actionValues(networkNamed(networks, "actor"), obs);
    expect(worstValue(agent, probe, values)).toBeLessThan(0.15);
  });
});

const continuous = FORMS.flatMap((form) =>
  (["DDPG", "TD3", "SAC"] as const).flatMap((name) =>
    probes(form, "continuous").map(([title, probe]) => [name, form, title, probe] as const),
  ),
);

const NOISE = { O_U_noise: false, expl_noise: 0.5 };
/** Exploration settings. SAC's temperature falls fast, as its values include the entropy. */
const EXPLORATION = { DDPG: NOISE, TD3: NOISE, SAC: { lr_alpha: 1e-2 } };

describe("policies of numbers learn", () => {
  it.each(continuous)("%s: the %s probe %s", (name, _form, _title, probe) => {
    const spec = { ...base, name, lr_actor: 1e-3, lr_critic: 3e-3, ...EXPLORATION[name] };
    const agent = trained(spec, probe, 6000);
    const { observation_space } = probe.environment;
    const critic = name === "DDPG" ? "critic" : "critic_1";
    const { greedy } = findAlgorithm(name) as OffPolicyAlgorithm;
    for (const { observation, action, value } of probe.solution) {
      const [own] = ask(agent, observation_space, [observation], (networks, obs) =>
        greedy(networks, obs, undefined, probe.environment),
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
