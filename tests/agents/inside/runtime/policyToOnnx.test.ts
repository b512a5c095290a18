/** Exported policies in onnxruntime, against the library's actions and the reference evaluator in f64. */
// @apart: its programs and devices fill much memory.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentFromState, DQN, type SupportedAgent } from "../../../../src/agents/classes.ts";
import { RainbowDQN } from "../../../../src/agents/index.ts";
import { emptyHiddenState } from "../../../../src/agents/member/agentState.ts";
import { agentContents, bindAgent, structureOf } from "../../../../src/agents/members.ts";
import { Mutations, Random } from "../../../../src/evolution/index.ts";
import { ACTIVATIONS, type AlgoSpecInput } from "../../../../src/manifests/index.ts";
import { EvolvableMLP } from "../../../../src/rl/networks.ts";
import { policyProgram } from "../../../../src/rl/programs.ts";
import {
  Box,
  Dict,
  Discrete,
  elementSize,
  MultiBinary,
  MultiDiscrete,
  type Space,
  Tuple,
} from "../../../../src/rl/spaces.ts";
import { runOnReference } from "../../../kernels/support/run.ts";
import { agentOf, SMALL_NETWORK } from "../../../rl/support/agents.ts";
import { type RuntimeInput, RuntimeModel } from "../../../support/onnxRuntime.ts";

const VECTOR = new Box({ low: -2, high: 3, shape: [5] });
const CHOICE = new Discrete(4, { start: 2 });
const TORQUES = new Box({ low: [-2, 0.5], high: [3, 0.75], shape: [2] });

interface Algorithm {
  readonly spec: AlgoSpecInput;
  readonly action_space: Space;
  /** Outputs besides the action. */
  readonly outputs: readonly string[];
}

const ALGORITHMS: Readonly<Record<string, Algorithm>> = {
  DQN: { spec: { name: "DQN" }, action_space: CHOICE, outputs: ["q_values"] },
  CQN: { spec: { name: "CQN" }, action_space: CHOICE, outputs: ["q_values"] },
  "IQL with choices": { spec: { name: "IQL" }, action_space: CHOICE, outputs: ["logits"] },
  "IQL with numbers": { spec: { name: "IQL" }, action_space: TORQUES, outputs: ["mean", "log_std"] },
  TD3BC: { spec: { name: "TD3BC" }, action_space: TORQUES, outputs: [] },
  RainbowDQN: { spec: { name: "RainbowDQN", num_atoms: 21 }, action_space: CHOICE, outputs: ["q_values"] },
  "PPO with choices": { spec: { name: "PPO" }, action_space: CHOICE, outputs: ["logits"] },
  "PPO with numbers": { spec: { name: "PPO" }, action_space: TORQUES, outputs: ["mean", "log_std"] },
  "PPO with several choices": {
    spec: { name: "PPO" },
    action_space: new MultiDiscrete([3, 2, 4]),
    outputs: ["logits"],
  },
  "PPO with bits": { spec: { name: "PPO" }, action_space: new MultiBinary(5), outputs: ["logits"] },
  DDPG: { spec: { name: "DDPG" }, action_space: TORQUES, outputs: [] },
  SAC: { spec: { name: "SAC" }, action_space: TORQUES, outputs: ["mean", "log_std"] },
  "ES with choices": { spec: { name: "ES" }, action_space: CHOICE, outputs: ["logits"] },
  "ES with numbers": { spec: { name: "ES" }, action_space: TORQUES, outputs: [] },
  TD3: { spec: { name: "TD3", share_encoders: true }, action_space: TORQUES, outputs: [] },
};

const IMAGE = new Box({ low: 0, high: 255, shape: [2, 7, 6], dtype: "uint8" });
const MIXED = new Dict({ view: IMAGE, wind: VECTOR, gear: new Discrete(3), lamps: new MultiBinary(2) });
const CONVOLUTIONS = { channel_size: [5, 6], kernel_size: [3, 2], stride_size: [1, 2], min_channel_size: 4 };

interface Input {
  readonly space: Space;
  readonly encoder: object;
}

/** Every non-recurrent encoder, and every kind of observation. */
const INPUTS: Readonly<Record<string, Input>> = {
  "mlp on a vector": { space: VECTOR, encoder: { hidden_size: [16] } },
  "mlp on a choice": { space: new Discrete(6, { start: -1 }), encoder: { hidden_size: [16] } },
  "mlp on several choices": { space: new MultiDiscrete([3, 2, 4]), encoder: { hidden_size: [16] } },
  "mlp on bits": { space: new MultiBinary(7), encoder: { hidden_size: [16] } },
  "simba on a vector": { space: VECTOR, encoder: { arch: "simba", hidden_size: 16, num_blocks: 2 } },
  "cnn on an image": { space: IMAGE, encoder: CONVOLUTIONS },
  "cnn with norms on an image with channels last": {
    space: new Box({ low: -1, high: 1, shape: [8, 6, 3] }),
    encoder: { ...CONVOLUTIONS, layer_norm: true, activation: "GELU" },
  },
  "resnet on an image": {
    space: IMAGE,
    encoder: {
      arch: "resnet",
      channel_size: 8,
      kernel_size: 3,
      stride_size: 1,
      num_blocks: 2,
      min_channel_size: 4,
    },
  },
  "multiinput on a dictionary": {
    space: MIXED,
    encoder: { latent_dim: 16, min_latent_dim: 4, cnn_config: CONVOLUTIONS },
  },
  "multiinput on a tuple": {
    space: new Tuple([new Discrete(3), VECTOR]),
    encoder: { latent_dim: 16, vector_space_mlp: true, mlp_config: { hidden_size: [16] } },
  },
};

/** A network with these encoder settings. */
const networkWith = (encoder_config: object) => ({ ...SMALL_NETWORK, latent_dim: 24, encoder_config });

function agentFor({ spec, action_space }: Algorithm, observation_space: Space, network: unknown, seed = 1) {
  const state = agentOf(spec, { observation_space, action_space, network, seed });
  const agent = agentFromState(state, { observation_space, action_space });
  withRandomWeights(agent, seed);
  return agent;
}

/** Initial weights would hide errors: biases are equal, scales are 1, some heads are near 0. */
function withRandomWeights(agent: SupportedAgent, seed: number): void {
  const random = new Random({ seed, stream: "weights" });
  const { state } = agent;
  const networks = Object.entries(state.networks).map(([name, { data, tensors }]) => {
    const drawn = Object.entries(tensors).map(([key, values]) => [
      key,
      values.map(() => 1.2 * random.uniform() - 0.6),
    ]);
    return [name, { data, tensors: Object.fromEntries(drawn) }];
  });
  agent.state = { ...state, networks: Object.fromEntries(networks) };
}

/** The numbers of `count` consecutive random observations. */
function observations(space: Space, count: number, seed: number): number[] {
  const random = new Random({ seed, stream: "observations" });
  return Array.from({ length: count }, () => space.sample(random)).flatMap((value) =>
    typeof value === "number" ? [value] : Array.from(value),
  );
}

/** The model's inputs by name. */
function inputsOf(space: Space, values: readonly number[], batch: number): Record<string, RuntimeInput> {
  const input = (shape: readonly number[], numbers: readonly number[]): RuntimeInput => ({
    type: "float32",
    shape: [batch, ...shape],
    values: numbers,
  });
  if (space.kind !== "Dict" && space.kind !== "Tuple") return { observation: input(space.shape, values) };
  const width = elementSize(space);
  return Object.fromEntries(
    space.parts.map(({ key, space: part, start, size }) => {
      const rows = Array.from({ length: batch }, (_, i) =>
        values.slice(i * width + start, i * width + start + size),
      );
      return [`observation.${key}`, input(part.shape, rows.flat())];
    }),
  );
}

/** Random masks per lane, with at least one legal choice per action component. */
function masksFor(space: Space, batch: number, seed: number): number[] {
  const random = new Random({ seed, stream: "masks" });
  const of = (k: number, least: number) => {
    const legal = Array.from({ length: k }, () => random.integer(2));
    if (least > 0) legal[random.integer(k)] = 1;
    return legal;
  };
  return Array.from({ length: batch }, () => {
    if (space.kind === "MultiDiscrete") return space.nvec.flatMap((k) => of(k, 1));
    return space.kind === "Discrete" ? of(space.n, 1) : of(elementSize(space), 0);
  }).flat();
}

/** The policy's outputs from the reference evaluator in f64. */
function referenceOutputs(agent: SupportedAgent, inputs: Record<string, RuntimeInput>, batch: number) {
  const program = policyProgram(structureOf(agent.state), agent, { mask: "action_mask" in inputs });
  const given = Object.entries(inputs).map(([name, { values }]) => [name, values]);
  return runOnReference(
    program,
    bindAgent(agent.state, { num_envs: 1, batch }),
    { ...Object.fromEntries(agentContents(agent.state)), ...Object.fromEntries(given) },
    { precision: "f64" },
  );
}

const assertClose = (found: readonly number[], expected: ArrayLike<number>, what: string): void => {
  expect(found.length, `numbers of ${what}`).toBe(expected.length);
  found.forEach((value, i) => {
    const want = expected[i] as number;
    const off = Math.abs(value - want);
    expect(off, `${what}[${i}] = ${value} beside ${want}`).toBeLessThanOrEqual(
      1e-5 * Math.max(1, Math.abs(want)),
    );
  });
};

/** Difference between the largest and the second largest value. */
function lead(values: readonly number[]): number {
  const [first = 0, second = 0] = values.toSorted((a, b) => b - a);
  return first - second;
}

/** Margin of each discrete action component, from rows of values; null for continuous actions. */
function margins(space: Space, values: readonly number[], batch: number): number[] | null {
  const width = values.length / batch;
  const rows = Array.from({ length: batch }, (_, i) => values.slice(i * width, (i + 1) * width));
  switch (space.kind) {
    case "Discrete":
      return rows.map(lead);
    case "MultiDiscrete":
      return rows.flatMap((row) => {
        let start = 0;
        return space.nvec.map((k) => lead(row.slice(start, (start += k))));
      });
    case "MultiBinary":
      return rows.flat().map(Math.abs);
    default:
      return null;
  }
}

/** Asserts equal actions: continuous ones to 1e-5, discrete ones where the margin is clear. */
function assertActions(
  found: readonly number[],
  expected: ArrayLike<number>,
  clarity: readonly number[] | null,
) {
  if (!clarity) return assertClose(found, expected, "action");
  const clear = clarity.flatMap((margin, i) => (margin > 1e-4 ? [i] : []));
  expect(clear.length, "choices that are clear").toBeGreaterThan(0);
  expect(clear.map((i) => found[i])).toEqual(clear.map((i) => expected[i]));
}

/** Plays `steps` steps of `batch` lanes with random observations, and carries recurrent state along. */
async function assertSteps(
  agent: SupportedAgent,
  model: RuntimeModel,
  outputs: readonly string[],
  { batch, steps, seed, mask = false }: { batch: number; steps: number; seed: number; mask?: boolean },
): Promise<void> {
  const { observation_space, action_space } = agent;
  let memory: Record<string, RuntimeInput> = Object.fromEntries(
    Object.entries(emptyHiddenState(policyOf(agent), batch)).map(([name, values]) => [
      shortName(name),
      { type: "float32", shape: [batch, values.length / batch], values: [...values] },
    ]),
  );
  agent.resetHiddenState();
  for (let step = 0; step < steps; step++) {
    const values = observations(observation_space, batch, seed + batch + 10 * step);
    const action_mask = mask ? masksFor(action_space, batch, seed + step) : null;
    const inputs: Record<string, RuntimeInput> = {
      ...inputsOf(observation_space, values, batch),
      ...(action_mask && {
        action_mask: {
          type: "float32",
          shape: [batch, action_mask.length / batch],
          values: action_mask,
        },
      }),
      ...memory,
    };
    const found = await model.run(inputs);
    const next = Object.keys(memory).map((name) => `next_${name}`);
    expect(Object.keys(found)).toEqual([...outputs, "action", ...next]);
    const reference = referenceOutputs(agent, inputs, batch);
    for (const name of [...outputs, ...next]) {
      expect(found[name]?.shape[0]).toBe(batch);
      assertClose(found[name]?.values ?? [], reference[name] ?? [], name);
    }
    const { values: action = [], shape, type } = found.action ?? {};
    const isBox = action_space.kind === "Box";
    expect([type, shape]).toEqual([isBox ? "float32" : "int32", [batch, ...action_space.shape]]);
    const own = agent.getAction(values, { num_envs: batch, training: false, action_mask }) as
      | Float32Array
      | Int32Array;
    const said = outputs.map((name) => found[name]?.values ?? [])[0] ?? [];
    // Illegal choices are never taken, and illegal bits are clearly 0.
    const chosenBy = action_mask ? said.map((x, i) => (action_mask[i] === 1 ? x : -1e9)) : said;
    assertActions(action, own, margins(action_space, chosenBy, batch));
    memory = Object.fromEntries(
      Object.entries(memory).map(([name, input]) => [
        name,
        { ...input, values: found[`next_${name}`]?.values ?? [] },
      ]),
    );
  }
}

const policyOf = ({ state }: SupportedAgent) => ({
  networks: { actor: state.networks.actor as (typeof state.networks)[string] },
});
const shortName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

async function assertAgreement(
  agent: SupportedAgent,
  outputs: readonly string[],
  seed = 5,
  steps = 1,
  mask = false,
): Promise<void> {
  const model = await RuntimeModel.load(agent.toOnnx({ mask }));
  for (const batch of [1, 7]) await assertSteps(agent, model, outputs, { batch, steps, seed, mask });
  await model.release();
  agent.release();
}

/** The agent after `generations` mutations of its networks. */
function mutated(agent: SupportedAgent, generations: number, rand_seed: number): SupportedAgent {
  const mutations = new Mutations({
    no_mutation: 0,
    architecture: 0.6,
    new_layer_prob: 0.4,
    parameters: 0.2,
    activation: 0.2,
    rl_hp: 0,
    rand_seed,
  });
  let [member] = [agent];
  for (let generation = 0; generation < generations; generation++)
    [member] = mutations.mutation([member], { generation }) as [SupportedAgent];
  return member;
}

/** Encoders do not depend on the algorithm: the first one tests all, the others three each in rotation. */
const inputsOfAlgorithm = (place: number) =>
  Object.entries(INPUTS).filter((_, i, all) => place === 0 || (i + all.length - place) % all.length < 3);

describe.each(
  Object.entries(ALGORITHMS).map(([name, algorithm], place) => [name, algorithm, place] as const),
)("a policy of %s in ONNX", (_name, algorithm, place) => {
  it.each(inputsOfAlgorithm(place))("acts as the agent does: %s", async (_kind, { space, encoder }) => {
    await assertAgreement(agentFor(algorithm, space, networkWith(encoder)), algorithm.outputs);
  });

  it("acts as the agent does after any mutations", async () => {
    const kinds = fc.constantFrom(...Object.keys(INPUTS));
    const seeds = fc.nat(1000);
    await fc.assert(
      fc.asyncProperty(kinds, seeds, fc.integer({ min: 1, max: 6 }), async (kind, rand_seed, generations) => {
        const { space, encoder } = INPUTS[kind] as Input;
        const first = agentFor(algorithm, space, networkWith(encoder), rand_seed);
        const agent = mutated(first, generations, rand_seed);
        await assertAgreement(agent, algorithm.outputs, rand_seed);
      }),
      { numRuns: 3 },
    );
  });
});

describe("a policy in ONNX", () => {
  it.each(ACTIVATIONS)("has the activation %s", async (activation) => {
    const network = {
      latent_dim: 8,
      encoder_config: { hidden_size: [16, 8], activation, layer_norm: activation === "ReLU" },
      head_config: { hidden_size: [16], activation },
    };
    for (const name of ["DQN", "PPO with numbers"]) {
      const algorithm = ALGORITHMS[name] as Algorithm;
      await assertAgreement(agentFor(algorithm, VECTOR, network), algorithm.outputs);
    }
  });

  it("squashes actions as the agent does", async () => {
    const network = { ...SMALL_NETWORK, squash_output: true };
    const algorithm = ALGORITHMS["PPO with numbers"] as Algorithm;
    const agent = agentFor(algorithm, VECTOR, network);
    expect(agent.state.networks.actor?.data.distribution).toMatchObject({ squash_output: true });
    await assertAgreement(agent, algorithm.outputs);
  });

  const CELLS = { hidden_state_size: 12, num_layers: 2, min_hidden_state_size: 4 };

  it("carries memory after any mutations", async () => {
    const { action_space, outputs } = ALGORITHMS["PPO with choices"] as Algorithm;
    const algorithm = { spec: { name: "PPO", recurrent: true }, action_space, outputs } as const;
    await fc.assert(
      fc.asyncProperty(fc.nat(1000), fc.integer({ min: 1, max: 8 }), async (seed, generations) => {
        const first = agentFor(algorithm, VECTOR, networkWith({ arch: "lstm", ...CELLS }), seed);
        await assertAgreement(mutated(first, generations, seed), outputs, seed, 3);
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ["lstm", VECTOR, CELLS],
    ["lstm", new Discrete(6), CELLS],
    ["cnn_lstm", IMAGE, { ...CONVOLUTIONS, ...CELLS, num_layers: 1 }],
  ] as const)("carries the memory of %s from step to step", async (arch, space, encoder) => {
    for (const name of ["PPO with choices", "PPO with numbers"]) {
      const { action_space, outputs } = ALGORITHMS[name] as Algorithm;
      const algorithm = { spec: { name: "PPO", recurrent: true }, action_space, outputs } as const;
      const agent = agentFor(algorithm, space, networkWith({ arch, ...encoder }));
      const sizes = Object.keys(emptyHiddenState(policyOf(agent), 1));
      const model = await RuntimeModel.load(agent.toOnnx());
      expect(model.inputs.map(({ name: input }) => input)).toEqual(["observation", ...sizes.map(shortName)]);
      await model.release();
      expect(sizes).toHaveLength(2 * (arch === "lstm" ? 2 : 1));
      await assertAgreement(agent, outputs, 5, 4);
    }
  });

  it.each(["DQN", "RainbowDQN", "PPO with choices", "PPO with several choices", "PPO with bits"])(
    "chooses among what is legal when it is told: %s",
    async (name) => {
      const algorithm = ALGORITHMS[name] as Algorithm;
      const agent = agentFor(algorithm, VECTOR, SMALL_NETWORK);
      await assertAgreement(agent, algorithm.outputs, 5, 4, true);
    },
  );

  it("chooses among what is legal with a memory", async () => {
    const { action_space, outputs } = ALGORITHMS["PPO with several choices"] as Algorithm;
    const algorithm = { spec: { name: "PPO", recurrent: true }, action_space, outputs } as const;
    const agent = agentFor(algorithm, VECTOR, networkWith({ arch: "lstm", ...CELLS }));
    await assertAgreement(agent, outputs, 5, 3, true);
  });

  it("has no mask where actions are no choice", () => {
    const agent = agentFor(ALGORITHMS.DDPG as Algorithm, VECTOR, SMALL_NETWORK);
    expect(() => agent.toOnnx({ mask: true })).toThrow(
      /^mask: found actions .*Box.*, allowed Discrete, MultiDiscrete and MultiBinary ones$/,
    );
  });

  it("has a network of the caller's own", async () => {
    const { action_space, outputs } = ALGORITHMS.DQN as Algorithm;
    const actor_network = new EvolvableMLP({ num_inputs: 5, num_outputs: 4, hidden_size: [12] });
    const agent = new DQN({
      observation_space: VECTOR,
      action_space: action_space as Discrete,
      actor_network,
    });
    await assertAgreement(agent, outputs);
    const rainbow = new RainbowDQN({
      observation_space: VECTOR,
      action_space: action_space as Discrete,
      num_atoms: 7,
      actor_network: new EvolvableMLP({ num_inputs: 5, num_outputs: 4 * 7, hidden_size: [12] }),
    });
    await assertAgreement(rainbow, outputs);
  });

  it("takes raw observations under names of their own, with only the batch open", async () => {
    const { space, encoder } = INPUTS["multiinput on a dictionary"] as Input;
    const agent = agentFor(ALGORITHMS.DQN as Algorithm, space, networkWith(encoder));
    const model = await RuntimeModel.load(agent.toOnnx());
    const described = [...model.inputs, ...model.outputs].map((value) => [
      value.name,
      value.isTensor ? [value.type, ...value.shape] : null,
    ]);
    expect(Object.fromEntries(described)).toEqual({
      "observation.view": ["float32", "batch", 2, 7, 6],
      "observation.wind": ["float32", "batch", 5],
      "observation.gear": ["float32", "batch"],
      "observation.lamps": ["float32", "batch", 2],
      q_values: ["float32", "batch", 4],
      action: ["int32", "batch"],
    });
    await model.release();
  });
});
