/** PPO learns the known values and actions of the probe environments. */
import { describe, expect, it } from "vitest";
import { type ProbeEnvironment, probeEnvironments } from "../../../../src/agents/index.ts";
import type { AgentState } from "../../../../src/agents/members.ts";
import type { Dim, Tensor } from "../../../../src/kernels/index.ts";
import type { PPOSpecInput } from "../../../../src/manifests/index.ts";
import type { Latents, Networks } from "../../../../src/rl/contract.ts";
import { PPO } from "../../../../src/rl/definitions.ts";
import { emptyMemory, encodeStep } from "../../../../src/rl/programs/memory.ts";
import type { AgentSpaces } from "../../../../src/rl/spaces.ts";
import { agentOf } from "../../support/agents.ts";
import { compiledTurn } from "../../support/turns.ts";
import { ask } from "../support/ask.ts";
import { isWhole } from "../support/wholeProbes.ts";

const ppo = { name: "PPO", lr: 5e-3, learn_step: 128, batch_size: 64, ent_coef: 0 } as const;

/** An agent after `rollouts` rollouts. */
function trained(
  { environment }: ProbeEnvironment,
  { rollouts, network, ...fields }: Omit<PPOSpecInput, "name"> & { rollouts: number; network: object },
): AgentState {
  const { observation_space, action_space } = environment;
  const agent = agentOf({ ...ppo, ...fields }, { observation_space, action_space, network, seed: 3 });
  const turn = { num_envs: 8, evo_steps: rollouts * 128, eval_steps: 1 };
  return compiledTurn(agent, environment, turn).agent;
}

/** Latent vectors of an episode's first observations. */
const latentsOf = (networks: Networks, obs: Tensor, spaces: AgentSpaces): Latents =>
  encodeStep(PPO, networks, obs, spaces, emptyMemory(networks, obs.shape[0] as Dim)).latents;

/** Values and actions that differ from the known ones. */
function mistakes(
  agent: AgentState,
  { environment, solution, action: form }: Pick<ProbeEnvironment, "environment" | "solution" | "action">,
): string[] {
  const { observation_space } = environment;
  const observations = solution.map((facts) => facts.observation);
  const values = ask(agent, observation_space, observations, (networks, obs) =>
    PPO.value(networks, latentsOf(networks, obs, environment), environment),
  );
  const actions = ask(agent, observation_space, observations, (networks, obs) =>
    PPO.greedy(networks, latentsOf(networks, obs, environment), environment),
  );
  return solution.flatMap(({ action, value, observation }, i) => {
    // A stochastic continuous policy has a lower value than the best policy.
    const isKnown = action === null || form === "discrete";
    const wanted = action === null ? [] : typeof action === "number" ? [action] : action;
    const checks: [string, number | undefined, number][] = [
      ...(isKnown ? [["value", values[i]?.[0], value] as [string, number | undefined, number]] : []),
      ...wanted.map((x, k): [string, number | undefined, number] => [`action[${k}]`, actions[i]?.[k], x]),
    ];
    return checks
      .filter(([, found, known]) => !(Math.abs((found ?? Number.NaN) - known) < 0.2))
      .map(([what, found, known]) => `${what} at observation ${observation}: found ${found}, known ${known}`);
  });
}

/** The probes of vectors. Of the others the one whose best action is what is observed, which encoders decide. */
const titled = (observation: ProbeEnvironment["observation"]) =>
  probeEnvironments
    .filter((probe) => probe.observation === observation)
    .filter((probe) => (observation === "vector" ? isWhole(probe) : probe.name === "Policy"))
    .map((probe) => [`${probe.name}, ${probe.action}`, probe] as const);

const cnn = { channel_size: [8], kernel_size: [3], stride_size: [1] };

describe("PPO solves the probes of", () => {
  it.each(titled("vector"))("vectors: %s", (_name, probe) => {
    const network = { latent_dim: 8, encoder_config: { hidden_size: [16] } };
    expect(mistakes(trained(probe, { rollouts: 80, network }), probe)).toEqual([]);
  });

  it.each(titled("image"))("images: %s", (_name, probe) => {
    const network = { latent_dim: 16, encoder_config: cnn };
    expect(mistakes(trained(probe, { rollouts: 60, network }), probe)).toEqual([]);
  });

  it.each(titled("mixed"))("mixed observations: %s", (_name, probe) => {
    const network = { latent_dim: 16, encoder_config: { cnn_config: cnn } };
    expect(mistakes(trained(probe, { rollouts: 60, network }), probe)).toEqual([]);
  });

  const recurrent = titled("vector").filter(([, { action }]) => action === "discrete");
  it.each(recurrent)("vectors, with memory: %s", (_name, probe) => {
    const network = { latent_dim: 8, encoder_config: { hidden_state_size: 8, num_layers: 1 } };
    const fields = { recurrent: true, max_seq_len: 4, batch_size: 16 };
    // A later observation never occurs without recurrent state from the first one.
    const solution = probe.name === "DiscountedReward" ? probe.solution.slice(0, 1) : probe.solution;
    const agent = trained(probe, { rollouts: 60, network, ...fields });
    expect(mistakes(agent, { ...probe, solution })).toEqual([]);
  });

  const images = titled("image").filter(([, { action }]) => action === "discrete");
  it.each(images)("images, with memory: %s", (_name, probe) => {
    const network = { latent_dim: 16, encoder_config: { ...cnn, hidden_state_size: 8, num_layers: 1 } };
    const fields = { recurrent: true, max_seq_len: 4, batch_size: 16 };
    expect(mistakes(trained(probe, { rollouts: 60, network, ...fields }), probe)).toEqual([]);
  });

  const numbers = titled("vector").filter(([, { action }]) => action === "continuous");
  it.each(numbers)("vectors, with squashed actions: %s", (_name, probe) => {
    const network = { latent_dim: 8, encoder_config: { hidden_size: [16] }, squash_output: true };
    expect(mistakes(trained(probe, { rollouts: 80, network }), probe)).toEqual([]);
  });
});
