import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AgentState, EvolvableAgent, findAlgorithm } from "../../src/agents/members.ts";
import { Mutations } from "../../src/evolution/index.ts";
import type { Tensors } from "../../src/rl/networks.ts";
import { Box, Discrete } from "../../src/rl/spaces.ts";
import { decodeSafetensors, encodeSafetensors, isStorageError } from "../../src/storage/index.ts";
import { decodeAgent, encodeAgent } from "../../src/training/files.ts";
import { agentOf } from "../rl/support/agents.ts";

const pendulum = { action_space: new Box({ low: -2, high: 2 }) };

/** Any f32 bits but NaN's, whose payload JavaScript may change. */
const f32 = fc.float({ noNaN: true });

/** The agent with arbitrary numbers in all tensors. */
function scrambled(agent: AgentState, random: () => number): AgentState {
  const fill = (tensors: Tensors): Tensors =>
    Object.fromEntries(Object.entries(tensors).map(([name, values]) => [name, values.map(random)]));
  return {
    ...agent,
    networks: Object.fromEntries(
      Object.entries(agent.networks).map(([n, { data, tensors }]) => [n, { data, tensors: fill(tensors) }]),
    ),
    optimizers: Object.fromEntries(
      Object.entries(agent.optimizers).map(([n, o]) => [
        n,
        { ...o, first: fill(o.first), second: fill(o.second) },
      ]),
    ),
  };
}

/** An agent after mutations, so that architectures and hyperparameters are not the defaults. */
function evolved(name: "DQN" | "PPO", seed: number, rounds: number): AgentState {
  const action_space = name === "PPO" && seed % 2 === 0 ? pendulum.action_space : new Discrete(3);
  const roles = findAlgorithm(name);
  const member = new EvolvableAgent(agentOf({ name }, { action_space, seed }), {
    algorithm: roles,
    hp_config: null,
  });
  const mutations = new Mutations({
    no_mutation: 0,
    architecture: 1,
    new_layer_prob: 0.5,
    parameters: 0.5,
    activation: 0.5,
    rl_hp: 0,
    rand_seed: seed,
  });
  for (let generation = 0; generation < rounds; generation++) mutations.mutation([member], { generation });
  return member.state;
}

const codeOf = (read: () => unknown): { code: string; message: string } => {
  try {
    read();
  } catch (error) {
    if (isStorageError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error("nothing was thrown");
};

/** The file with other metadata or tensors, and without its checksum, which would tell. */
function altered(
  bytes: Uint8Array,
  change: (
    metadata: Record<string, string>,
    tensors: Map<string, { shape: readonly number[]; data: Float32Array }>,
  ) => void,
): Uint8Array {
  const file = decodeSafetensors(bytes, "f");
  const { sha256: _, ...metadata } = file.metadata;
  const tensors = new Map(
    [...file.tensors].map(([name, { shape, data }]) => [name, { shape, data: data as Float32Array }]),
  );
  change(metadata, tensors);
  return encodeSafetensors(tensors, metadata);
}

describe("agent files", () => {
  it("read back to the same bits, after any mutations", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("DQN" as const, "PPO" as const),
        fc.nat(1000),
        fc.nat(4),
        fc.infiniteStream(f32),
        fc.array(fc.double()),
        (name, seed, rounds, numbers, fitness) => {
          const agent = {
            ...scrambled(evolved(name, seed, rounds), () => numbers.next().value as number),
            fitness,
            learn_credit: 3.25,
            steps: 12345,
            parent: 7,
          };
          const read = decodeAgent(encodeAgent(agent), "agent.safetensors");
          expect(read.agent).toEqual(agent);
          expect(encodeAgent(read.agent)).toEqual(encodeAgent(agent));
        },
      ),
      { numRuns: 20 },
    );
  });

  it("keep numbers that JSON has no words for", () => {
    const fitness = [-0, 0, Number.NaN, Infinity, -Infinity, 475.25];
    const agent = { ...agentOf({ name: "DQN" }), fitness };
    const read = decodeAgent(encodeAgent(agent), "agent.safetensors").agent.fitness;
    expect(read.map((x, i) => Object.is(x, fitness[i]))).toEqual(fitness.map(() => true));
  });

  it("hold weights as PyTorch lays them out, [out, in], without gaps", () => {
    const agent = agentOf({ name: "DQN" });
    const memory = agent.networks.actor?.tensors["encoder.linear_1.weight"] as Float32Array;
    const { tensors, metadata } = decodeSafetensors(encodeAgent(agent), "f");
    const stored = tensors.get("actor.encoder.linear_1.weight");
    expect(stored?.shape).toEqual([16, 4]);
    expect(stored?.data[1 * 4 + 2]).toBe(memory[2 * 16 + 1]);
    expect(tensors.get("optimizer.exp_avg.actor.encoder.linear_1.weight")?.shape).toEqual([16, 4]);
    expect(tensors.get("optimizer.exp_avg_sq.actor.head_net.output.bias")?.shape).toEqual([2]);
    expect(JSON.parse(metadata.hyperparameters ?? "")).toMatchObject({ lr: 1e-4, batch_size: 64 });
  });

  it("carry what is known of the environment", () => {
    const observation_space = new Box({ low: [-1, -Infinity], high: [1, Infinity] });
    const facts = {
      observation_space,
      action_space: new Discrete(2),
      environment: "CartPole-v1",
      num_envs: 16,
    };
    expect(decodeAgent(encodeAgent(agentOf({ name: "DQN" }), facts), "f")).toMatchObject(facts);
    expect(decodeAgent(encodeAgent(agentOf({ name: "DQN" })), "f")).toMatchObject({
      observation_space: null,
      environment: null,
      num_envs: null,
    });
  });

  it("refuse what is truncated anywhere", () => {
    const bytes = encodeAgent(agentOf({ name: "PPO" }, pendulum));
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), (length) => {
        expect(codeOf(() => decodeAgent(bytes.subarray(0, length), "a.safetensors"))).toMatchObject({
          code: "corrupt",
          message: expect.stringMatching(/^a\.safetensors: /),
        });
      }),
    );
  });

  it("refuse other formats, versions, algorithms and structures, each with its reason", () => {
    const bytes = encodeAgent(agentOf({ name: "DQN" }));
    const refused = (change: Parameters<typeof altered>[1]) =>
      codeOf(() => decodeAgent(altered(bytes, change), "a.safetensors"));
    const cases: [Parameters<typeof altered>[1], string, RegExp][] = [
      [(m) => delete m.format, "corrupt", /names no format/],
      [(m) => (m.version = "99"), "version", /agent format version 99, this rlkit reads version 1/],
      [(m) => (m.algorithm = '"Later"'), "version", /Later/],
      [(m) => (m.index = "{"), "corrupt", /"index" that is not JSON/],
      [(m) => delete m.networks, "corrupt", /networks/],
      [
        (m) => (m.networks = m.networks?.replace('"ReLU"', '"Relu"') ?? ""),
        "corrupt",
        /networks\.actor\.encoder: Invalid/,
      ],
      [
        (m) => (m.networks = m.networks?.replace('"hidden_size":[16]', '"hidden_size":[17]') ?? ""),
        "corrupt",
        /has F32 \[16, 4\] as tensor "actor.encoder.linear_1.weight", its networks have F32 \[17, 4\]/,
      ],
      [
        (_m, t) => t.delete("actor.head_net.output.bias"),
        "corrupt",
        /no tensor "actor.head_net.output.bias"/,
      ],
      [
        (_m, t) => t.set("critic.x", { shape: [1], data: new Float32Array(1) }),
        "corrupt",
        /a tensor "critic.x" that its networks do not have/,
      ],
      [(m) => (m.sha257 = "0"), "corrupt", /has no "sha256" in its metadata, and an unknown "sha257"/],
    ];
    for (const [change, code, message] of cases)
      expect(refused(change)).toEqual({ code, message: expect.stringMatching(message) });
  });
});
