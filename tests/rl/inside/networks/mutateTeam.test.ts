/** Mutations of multi-agent members with one network per key. */
import { describe, expect, it } from "vitest";
import {
  type AgentState,
  algorithmOf,
  mutateArchitecture,
  mutateParameters,
} from "../../../../src/agents/members.ts";
import type { AlgoSpecInput } from "../../../../src/manifests/index.ts";
import { findCompiledEnvironment } from "../../../../src/rl/environments.ts";
import {
  type MlpData,
  type NetworkData,
  type NetworkState,
  networkMethods,
} from "../../../../src/rl/networks.ts";
import { agentOf } from "../../support/agents.ts";
import { compiledTurn } from "../../support/turns.ts";

const speaker = findCompiledEnvironment("simple_speaker_listener_v4");
const tag = findCompiledEnvironment("simple_tag_v3");
const roomy = { min_mlp_nodes: 4, max_mlp_nodes: 500 };
const network = {
  latent_dim: 24,
  encoder_config: { hidden_size: [40], ...roomy },
  head_config: { hidden_size: [40], ...roomy },
};
const KEYS = Array.from({ length: 40 }, (_, slot) => ({ seed: 2, slot }));

const networkOf = (agent: AgentState, name: string) => agent.networks[name] as NetworkState;
const dataOf = (agent: AgentState, name: string): NetworkData => networkOf(agent, name).data;

/** Widths that mutation methods change. */
const widths = ({ encoder, head, latent_dim }: NetworkData) => [
  latent_dim,
  ...(encoder as MlpData).hidden_size,
  ...(head as MlpData).hidden_size,
];
const layers = ({ encoder, head }: NetworkData) => [
  (encoder as MlpData).hidden_size.length,
  (head as MlpData).hidden_size.length,
];

const onlineOf = (agent: AgentState): string[] => {
  const { targets } = algorithmOf(agent);
  return Object.keys(agent.networks).filter((name) => !Object.hasOwn(targets, name));
};

const cases: [string, AlgoSpecInput, typeof speaker][] = [
  ["MADDPG", { name: "MADDPG" }, speaker],
  ["MATD3", { name: "MATD3" }, tag],
  ["IPPO", { name: "IPPO" }, tag],
];

describe.each(cases)("mutations of %s", (_name, spec, env) => {
  const before = agentOf(spec, { ...env, network, seed: 1 });
  const algorithm = algorithmOf(before);

  it("of architecture repeat one actor's method with its arguments on every actor and critic; targets follow", () => {
    const labels = new Set<string>();
    const mutations = KEYS.map((key) => mutateArchitecture(before, algorithm, { new_layer_prob: 0.4, key }));
    expect(mutations.every(({ agent, mut }) => (agent === before) === (mut === "None"))).toBe(true);
    for (const { agent, mut } of mutations.filter((mutation) => mutation.mut !== "None")) {
      labels.add(mut);
      const changes = onlineOf(agent).map((name) => {
        const [old, now] = [dataOf(before, name), dataOf(agent, name)];
        expect(networkMethods(old).map(({ path }) => path)).toContain(mut);
        expect(now, `${mut} of ${name}`).not.toEqual(old);
        // All networks have the same widths here, so the same method with the same arguments changes them
        // equally.
        return JSON.stringify([
          layers(now),
          layers(now).join() === layers(old).join()
            ? widths(now).map((width, i) => width - (widths(old)[i] as number))
            : widths(now),
        ]);
      });
      expect(new Set(changes).size, `${mut}: ${changes.join(" ")}`).toBe(1);
      for (const [target, online] of Object.entries(algorithm.targets))
        expect(networkOf(agent, target)).toEqual(networkOf(agent, online));
      for (const [optimizer, { networks }] of Object.entries(algorithm.optimizers)) {
        const moments = Object.entries(agent.optimizers[optimizer]?.first ?? {});
        const trained = networks.flatMap((name) =>
          Object.entries(networkOf(agent, name).tensors).map(([tensor, { length }]) => [
            `${name}.${tensor}`,
            length,
          ]),
        );
        expect(Object.fromEntries(moments.map(([tensor, { length }]) => [tensor, length]))).toEqual(
          Object.fromEntries(trained),
        );
      }
    }
    expect(labels.size).toBeGreaterThan(3);
  });

  it("of parameters put noise on every actor alone, each with its own; their targets are copies", () => {
    const { agent, mut } = mutateParameters(before, algorithm, { mutation_sd: 0.1, key: { seed: 4 } });
    expect(mut).toBe("param");
    /** Number of changed elements per tensor. */
    const changed = (name: string): string => {
      const [old, now] = [networkOf(before, name).tensors, networkOf(agent, name).tensors];
      return JSON.stringify(
        Object.entries(now).map(([tensor, values]) =>
          Array.from(values, (v, i) => (v === old[tensor]?.[i] ? [] : [i])).flat(),
        ),
      );
    };
    const noise = algorithm.policies.map(changed);
    for (const places of noise) expect(places).toMatch(/\d/);
    for (const name of onlineOf(agent).filter((online) => !algorithm.policies.includes(online)))
      expect(changed(name)).not.toMatch(/\d/);
    expect(new Set(noise).size).toBe(algorithm.policies.length);
    for (const [target, online] of Object.entries(algorithm.targets))
      expect(networkOf(agent, target)).toEqual(networkOf(agent, online));
  });

  it("leave an agent that trains on", () => {
    let agent = before;
    for (const key of KEYS.slice(0, 4))
      ({ agent } = mutateArchitecture(agent, algorithm, { new_layer_prob: 0.4, key }));
    const small = { batch_size: 8, learn_step: algorithm.kind === "on_policy" ? 16 : 4 };
    const grown = { ...agent, hyperparameters: { ...agent.hyperparameters, ...small } };
    const result = compiledTurn(grown, env, { num_envs: 2, evo_steps: 32, eval_steps: 3 });
    expect(result.learn_steps).toBeGreaterThan(0);
    expect(Number.isFinite(result.fitness)).toBe(true);
  });
});
