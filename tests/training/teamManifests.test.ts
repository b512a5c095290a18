/** Manifests of several agents: what is refused before a run, and AgileRL's own, which train and go back. */
import { describe, expect, it } from "vitest";
import { createAgent } from "../../src/agents/members.ts";
import { agentNetwork, manifestToObject, parseManifest, SpecError } from "../../src/manifests/index.ts";
import { LocalTrainer, runIssues } from "../../src/training/index.ts";
import { environmentOf, estimateRun } from "../../src/training/plan.ts";
import { trained } from "./support/tiny.ts";

const OPEN = { latent_dim: 32, encoder_config: { hidden_size: [48] }, head_config: { hidden_size: [40] } };

const manifestOf = (name: string, environment: string, more: object = {}) =>
  parseManifest({ algorithm: { name }, environment: { name: environment }, ...more });

const problems = (manifest: ReturnType<typeof parseManifest>) =>
  runIssues(manifest).map(({ path, message }) => [path, message]);

const agentOf = (manifest: ReturnType<typeof parseManifest>) => {
  const { observation_space, action_space } = environmentOf(manifest);
  const network = agentNetwork(manifest);
  return createAgent({ spec: manifest.algorithm, observation_space, action_space, network });
};

describe("an algorithm in an environment of another number of agents", () => {
  it("is refused with both names, in validation and in training", async () => {
    const several = manifestOf("MADDPG", "CartPole-v1");
    const message =
      "MADDPG trains several agents, but CartPole-v1 has only one; choose a multi-agent environment or a single-agent algorithm";
    expect(problems(several)).toEqual([["environment.name", message]]);
    await expect(LocalTrainer.fromManifest(several)).rejects.toThrow(message);
    const one = manifestOf("DQN", "mpe2.simple_spread_v3");
    expect(problems(one)).toEqual([
      [
        "environment.name",
        "DQN trains a single agent, but mpe2.simple_spread_v3 has several (agent_0, agent_1, agent_2); choose a multi-agent algorithm or a single-agent environment",
      ],
    ]);
    await expect(LocalTrainer.fromManifest(one)).rejects.toThrow(SpecError);
  });
});

describe("networks by agents", () => {
  it("are those of each agent, and critics'; what is left out has the defaults", () => {
    const { networks } = agentOf(
      manifestOf("MADDPG", "simple_speaker_listener_v4", { network: { speaker_0: OPEN } }),
    );
    expect(networks["actors.speaker_0"]?.data.latent_dim).toBe(32);
    expect(networks["critics.speaker_0"]?.data.latent_dim).toBe(32);
    expect(networks["actors.listener_0"]?.data.latent_dim).toBe(64);
  });

  it("may stand under the name of a group of one", () => {
    const make = (key: string) =>
      agentOf(manifestOf("MATD3", "simple_speaker_listener_v4", { network: { [key]: OPEN } }));
    expect(make("speaker")).toEqual(make("speaker_0"));
  });

  it("have seeds of their own", () => {
    const weights = (seeds: readonly number[]) => {
      const [speaker, listener] = seeds.map((random_seed) => ({ ...OPEN, random_seed }));
      const { networks } = agentOf(
        manifestOf("IPPO", "simple_speaker_listener_v4", {
          network: { speaker_0: speaker, listener_0: listener },
        }),
      );
      return [networks["actors.speaker_0"], networks["actors.listener_0"]].map((each) => each?.tensors);
    };
    const [first, other] = [weights([1, 2]), weights([1, 3])];
    expect(other[0]).toEqual(first[0]);
    expect(other[1]).not.toEqual(first[1]);
  });

  it.each([
    [
      "an agent inside a group",
      "simple_spread_v3",
      { agent_1: OPEN },
      "network.agent_1",
      'found an agent of the group "agent" (agent_0, agent_1, agent_2), whose agents share networks; give network.agent',
    ],
    [
      "an unknown key",
      "simple_spread_v3",
      { agent: OPEN, runner: OPEN },
      "network.runner",
      "found no such agent or group, allowed agent",
    ],
    [
      "an agent under two names",
      "simple_speaker_listener_v4",
      { speaker: OPEN, speaker_0: OPEN },
      "network.speaker_0",
      "found together with network.speaker, which is the same agent; leave one of them out",
    ],
    [
      "a setting that the network does not have",
      "simple_speaker_listener_v4",
      { listener_0: { latent_dim: 32, encoder_config: { channel_size: [8] } } },
      "network.listener_0.encoder_config.channel_size",
      "channel_size is not a setting of arch mlp",
    ],
  ])("are refused for %s", (_what, environment, network, path, message) => {
    for (const name of ["MADDPG", "IPPO"]) {
      const [issue, ...others] = runIssues(manifestOf(name, environment, { network }));
      expect(others).toEqual([]);
      expect(issue?.path).toBe(path);
      expect(issue?.message).toContain(message);
    }
  });
});

describe("the needs of a run of several agents", () => {
  it("count the networks of every key and the rows of every agent", () => {
    const needs = (name: string) =>
      estimateRun(
        manifestOf("MADDPG", name, {
          environment: { name, num_envs: 4 },
          training: { pop_size: 2 },
          replay_buffer: { max_size: 1000 },
        }),
      );
    const { networks } = agentOf(manifestOf("MADDPG", "simple_speaker_listener_v4"));
    const weights = Object.values(networks).flatMap(({ tensors }) => Object.values(tensors));
    const talk = needs("simple_speaker_listener_v4");
    expect(talk.weights).toBe(weights.reduce((sum, { length }) => sum + length, 0));
    // Observations of 3 and 11 numbers twice, two choices, two rewards, two ends, the episode's end.
    expect(talk.replay_bytes).toBe(1000 * 4 * (2 * 14 + 2 + 2 + 2 + 1));
    expect(talk.episode_steps).toBe(25);
  });

  it("are refused where they pass any machine's", () => {
    const [issue] = runIssues(manifestOf("MATD3", "simple_spread_v3", { replay_buffer: { max_size: 1e10 } }));
    expect(issue?.path).toBe("replay_buffer.max_size");
  });
});

it("fitness is the agents' sum, or their mean where scores are not summed", async () => {
  const [summed, mean] = await Promise.all(
    [true, false].map(async (sum_scores) =>
      trained(
        await LocalTrainer.fromManifest({
          algorithm: { name: "IPPO", learn_step: 64, batch_size: 32, update_epochs: 1 },
          environment: { name: "simple_spread_v3", num_envs: 4 },
          training: { max_steps: 64, evo_steps: 64, pop_size: 1, sum_scores },
        }),
      ),
    ),
  );
  const [member] = summed?.recorder.generations[0]?.members ?? [];
  expect(mean?.recorder.generations[0]?.members[0]?.agent_fitness).toEqual(member?.agent_fitness);
  expect(3 * (mean?.fitnesses[0] ?? Number.NaN)).toBeCloseTo(summed?.fitnesses[0] ?? 0, 4);
});

// Keys and kinds of values as AgileRL's files have them, for few steps.
const EVOLUTION = (lr: string) => `
mutation:
  probabilities: {no_mut: 0.4, arch_mut: 0.2, new_layer: 0.2, params_mut: 0.2, act_mut: 0, rl_hp_mut: 0.2}
  rl_hp_selection:
    ${lr}
    batch_size: {min: 8, max: 512}
    learn_step: {min: 20, max: 200}
  mutation_sd: 0.1
  rand_seed: 42
selection_strategy: {strategy: tournament, tournament_size: 2, elitism: true}
`;
const RATES = "lr_actor: {min: 0.0001, max: 0.01}\n    lr_critic: {min: 0.0001, max: 0.01}";

const RELATIVE = {
  MADDPG: `
algorithm: {name: MADDPG, batch_size: 32, lr_actor: 0.001, lr_critic: 0.001, learn_step: 100, gamma: 0.95, tau: 0.01, O_U_noise: true, expl_noise: 0.1, mean_noise: 0.0, theta: 0.15, dt: 0.01}
environment: {name: mpe2.simple_speaker_listener_v4, num_envs: 8}
training: {max_steps: 400, pop_size: 2, evo_steps: 200, eval_steps: , eval_loop: 1, learning_delay: 0, target_score: , sum_scores: true}
replay_buffer: {max_size: 100_000}
network: {latent_dim: 64, encoder_config: {hidden_size: [64], activation: ReLU, min_mlp_nodes: 64, max_mlp_nodes: 500}, head_config: {hidden_size: [64], activation: ReLU, min_hidden_layers: 1, max_hidden_layers: 3}}
${EVOLUTION(RATES)}`,
  MATD3: `
algorithm: {name: MATD3, batch_size: 32, lr_actor: 0.001, lr_critic: 0.01, learn_step: 100, gamma: 0.95, policy_freq: 2}
environment: {name: pettingzoo.mpe.simple_spread_v3, num_envs: 8, env_config: {continuous_actions: true}}
training: {max_steps: 400, evo_steps: 200, pop_size: 2}
replay_buffer: {max_size: 100000}
network: {agent: {latent_dim: 32, arch: mlp, encoder_config: {hidden_size: [32]}, head_config: {hidden_size: [32]}}}
${EVOLUTION(RATES)}`,
  IPPO: `
algorithm: {name: IPPO, batch_size: 32, lr: 0.0003, learn_step: 128, gamma: 0.99, gae_lambda: 0.95, action_std_init: 0.6, clip_coef: 0.2, ent_coef: 0.02, vf_coef: 0.5, max_grad_norm: 0.5, target_kl: , update_epochs: 2, action_batch_size: 64}
environment: {name: mpe2.simple_spread_v3, num_envs: 8}
training: {max_steps: 800, evo_steps: 200, pop_size: 2, eval_loop: 1}
network: {latent_dim: 32, encoder_config: {hidden_size: [32]}, head_config: {hidden_size: [32]}}
${EVOLUTION("lr: {min: 0.0001, max: 0.01}").replace("min: 20", "min: 64")}`,
};

describe.each(Object.entries(RELATIVE))("AgileRL's manifest of %s", (name, text) => {
  it("has no issue, trains, and goes back", async () => {
    const manifest = parseManifest(text);
    expect(runIssues(manifest)).toEqual([]);
    const exported = manifestToObject(manifest);
    expect(parseManifest(exported)).toEqual(manifest);
    expect(exported.environment).toMatchObject({ name: manifest.environment.name });
    expect(manifest.environment.name).toMatch(/^(mpe2|pettingzoo\.mpe)\.simple_/);
    const run = await trained(await LocalTrainer.fromManifest(text));
    expect(run.recorder.generations.length).toBeGreaterThan(0);
    expect(run.fitnesses.every(Number.isFinite)).toBe(true);
    for (const { fitness, agent_fitness = {} } of run.recorder.generations[0]?.members ?? []) {
      const { observation_space } = environmentOf(manifest);
      expect(Object.keys(agent_fitness)).toEqual(
        Object.keys(observation_space.kind === "Agents" ? observation_space.spaces : {}),
      );
      expect(Object.values(agent_fitness).reduce((sum, own) => sum + own, 0)).toBeCloseTo(fitness, 4);
    }
    for (const { learn_steps, metrics } of run.recorder.generations[0]?.members ?? []) {
      expect(learn_steps).toBeGreaterThan(0);
      const loss = name === "IPPO" ? "policy_loss" : "critic_loss";
      expect(Object.keys(metrics)).toContain(loss);
    }
  });
});
