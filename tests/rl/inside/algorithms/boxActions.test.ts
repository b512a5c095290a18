/** Actions in Boxes: each number is scaled for itself, integers are rounded, and any range is learned. */
// @apart: its programs and devices fill much memory.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  agentFromState,
  type MultiAgentAlgorithm,
  OnPolicyAgent,
  type SupportedAgent,
  type TD3,
} from "../../../../src/agents/classes.ts";
import type { AgentState } from "../../../../src/agents/members.ts";
import { Random } from "../../../../src/evolution/index.ts";
import type { AlgoSpecInput } from "../../../../src/manifests/index.ts";
import { boxScale, exactBounds } from "../../../../src/rl/spaces/boxScale.ts";
import { Agents, Box, elementSize, type Space, type SpaceDType } from "../../../../src/rl/spaces.ts";
import { RuntimeModel } from "../../../support/onnxRuntime.ts";
import { agentOf, SMALL_NETWORK } from "../../support/agents.ts";
import { aimEnvironment } from "../../support/aim.ts";
import { compiledTurn, offPolicyOf } from "../../support/turns.ts";

const INF = Number.POSITIVE_INFINITY;
const SEEN = new Box({ low: -1, high: 1, shape: [2] });

/** Specs of one algorithm of each kind of continuous policy, with a network's settings. */
const SINGLE: Readonly<Record<string, { readonly spec: AlgoSpecInput; readonly network?: object }>> = {
  DDPG: { spec: { name: "DDPG" } },
  TD3: { spec: { name: "TD3" } },
  "TD3 with a sigmoid": {
    spec: { name: "TD3" },
    network: { ...SMALL_NETWORK, head_config: { hidden_size: [16], output_activation: "Sigmoid" } },
  },
  SAC: { spec: { name: "SAC" } },
  PPO: { spec: { name: "PPO" } },
  "squashed PPO": { spec: { name: "PPO" }, network: { ...SMALL_NETWORK, squash_output: true } },
};
const TEAMS = ["MADDPG", "MATD3", "IPPO"] as const;

/** The agent with weights that are large enough to reach the ends of its range. */
function loud(state: AgentState, seed: number): AgentState {
  const random = new Random({ seed, stream: "weights" });
  const networks = Object.entries(state.networks).map(([name, { data, tensors }]) => {
    const drawn = Object.entries(tensors).map(([key, values]) => [
      key,
      values.map(() => 8 * random.uniform() - 4),
    ]);
    return [name, { data, tensors: Object.fromEntries(drawn) }];
  });
  return { ...state, networks: Object.fromEntries(networks) };
}

function agentIn(
  name: string,
  action_space: Space,
  observation_space: Space = SEEN,
  seed = 3,
): SupportedAgent {
  const { spec = { name } as AlgoSpecInput, network = SMALL_NETWORK } = SINGLE[name] ?? {};
  const spaces = { observation_space, action_space };
  return agentFromState(loud(agentOf(spec, { ...spaces, network }), seed), spaces);
}

const ROWS = 16;
const observations = (width: number): Float32Array =>
  Float32Array.from({ length: ROWS * width }, (_value, i) => Math.sin(7 * i));

/** The actions of some lanes while training and without, as rows of numbers. */
function actionsOf(agent: SupportedAgent): number[][] {
  const size = elementSize(agent.action_space);
  const seen = observations(elementSize(agent.observation_space));
  return [true, false].flatMap((training) => {
    const found = agent.getAction(seen, { num_envs: ROWS, training }) as ArrayLike<number>;
    expect(found.length).toBe(ROWS * size);
    return Array.from({ length: ROWS }, (_value, row) =>
      Array.from({ length: size }, (_number, i) => found[row * size + i] as number),
    );
  });
}

/** Ends of the range of one number, of the type. */
function ends(dtype: SpaceDType): fc.Arbitrary<readonly [number, number]> {
  const [least, most] = dtype === "uint8" ? [0, 255] : [-(2 ** 31), 2 ** 31 - 1];
  const any =
    dtype === "float32"
      ? fc.oneof(
          fc.float({ noNaN: true }),
          fc.constantFrom(-INF, INF, 0, -1, 1, 1000, -1e-3),
          fc.integer({ min: -5, max: 5 }),
        )
      : fc.oneof(
          fc.integer({ min: least, max: most }),
          fc.constantFrom(least, most),
          fc.integer({ min: Math.max(least, -5), max: 5 }),
        );
  return fc
    .tuple(any, any)
    .map(([a, b]): readonly [number, number] => (a <= b ? [a, b] : [b, a]))
    .filter(([a, b]) => a !== INF && b !== -INF)
    .map(([a, b]): readonly [number, number] =>
      // A single integer that 32-bit floats do not have is refused (see below).
      dtype === "int32" && b - a < 2 ** 9 && Math.abs(a) > 2 ** 23 ? [0, 1] : [a, b],
    );
}

const boxes: fc.Arbitrary<Box> = fc
  .tuple(
    fc.constantFrom<SpaceDType[]>("float32", "float32", "int32", "uint8"),
    fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 }),
  )
  .chain(([dtype, shape]) => {
    const size = shape.reduce((product, dim) => product * dim, 1);
    return fc
      .array(ends(dtype), { minLength: size, maxLength: size })
      .map(
        (each) =>
          new Box({ low: each.map(([low]) => low), high: each.map(([, high]) => high), shape, dtype }),
      );
  });

const described = ({ low, high, dtype }: Box): string => `${dtype} [${[...low]}] to [${[...high]}]`;

describe("every action is in the space, whatever its bounds, type and shape", () => {
  it.each(Object.keys(SINGLE))("%s", (name) => {
    fc.assert(
      fc.property(boxes, (space) => {
        const agent = agentIn(name, space);
        const wrong = actionsOf(agent).find((action) => !space.contains(action));
        expect(wrong && { wrong, space: described(space) }).toBeUndefined();
        agent.release();
      }),
      { numRuns: 25 },
    );
  });

  it.each(TEAMS)("%s", (name) => {
    fc.assert(
      fc.property(boxes, boxes, (space, other) => {
        const agent = agentIn(
          name,
          new Agents({ walker_0: space, walker_1: space, flyer_0: other }),
          new Agents({ walker_0: SEEN, walker_1: SEEN, flyer_0: SEEN }),
        ) as MultiAgentAlgorithm & SupportedAgent;
        const seen = observations(2);
        const given = { walker_0: seen, walker_1: seen, flyer_0: seen };
        for (const training of [true, false]) {
          const found = agent.getAction(given, { num_envs: ROWS, training });
          for (const [id, own] of Object.entries({ walker_0: space, walker_1: space, flyer_0: other })) {
            const size = elementSize(own);
            const numbers = Array.from(found[id] as ArrayLike<number>);
            for (let row = 0; row < ROWS; row++)
              expect(numbers.slice(row * size, (row + 1) * size)).toSatisfy((action) => own.contains(action));
          }
        }
        agent.release();
      }),
      { numRuns: 12 },
    );
  });
});

describe("each number of a Box stands for itself", () => {
  const mixed = new Box({ low: [-1, -INF, 0, 10], high: [1, INF, 1000, 20] });

  it.each(Object.keys(SINGLE))(
    "%s reaches both ends of what is bounded beside an unbounded number",
    (name) => {
      const actions = [1, 2, 3, 4, 5, 6].flatMap((seed) => actionsOf(agentIn(name, mixed, SEEN, seed)));
      for (const [i, least, most] of [
        [0, -1, 1],
        [2, 0, 1000],
        [3, 10, 20],
      ] as const) {
        const found = actions.map((action) => action[i] as number);
        const margin = 0.05 * (most - least);
        expect(Math.min(...found)).toBeLessThan(least + margin);
        expect(Math.max(...found)).toBeGreaterThan(most - margin);
      }
      const free = actions.map((action) => action[1] as number);
      expect(Math.max(...free) - Math.min(...free)).toBeGreaterThan(0.5);
    },
  );

  it("what has one bound keeps its scale, moved to the bound's inner side", () => {
    const space = new Box({ low: [0, -INF, 1000, -5, -INF], high: [INF, 3, INF, INF, -8] });
    expect(boxScale(space, [-1, 1])).toEqual({ scale: [1, 1, 1, 1, 1], offset: [1, 0, 1001, 0, -9] });
    expect(boxScale(space, [0, 1])).toEqual({ scale: [1, 1, 1, 1, 1], offset: [0, 0, 1000, 0, -9] });
    expect(boxScale(space, null)).toEqual({ scale: [1, 1, 1, 1, 1], offset: [1, 0, 1001, 0, -9] });
  });

  it("a Gaussian keeps its scale where the bounds suit it", () => {
    const space = new Box({ low: [-1, -2, 0, 0, -3, 1000], high: [1, 2, 2, 1, 3, 1001] });
    expect(boxScale(space, null)).toEqual({
      scale: [1, 1, 1, 0.5, 3, 0.5],
      offset: [0, 0, 0, 0.5, 0, 1000.5],
    });
  });

  it("bounds as far apart as no 32-bit float is are none", () => {
    const most = 3.4028234663852886e38;
    const space = new Box({ low: [-most, -most], high: [most, 0] });
    expect(boxScale(space, [-1, 1])).toEqual({ scale: [1, most / 2], offset: [0, -most / 2] });
  });
});

describe("the best action is learned in ranges far from the policy's own, and in narrow ones", () => {
  const rates = { lr_actor: 1e-3, lr_critic: 3e-3, batch_size: 32, learn_step: 2 } as const;
  const noise = { O_U_noise: false, expl_noise: 0.3 } as const;
  const SETTINGS: readonly (readonly [string, AlgoSpecInput, steps: number])[] = [
    ["PPO", { name: "PPO", lr: 2e-3, learn_step: 256, batch_size: 64, ent_coef: 0 }, 12_288],
    ["DDPG", { name: "DDPG", ...rates, ...noise }, 3000],
    ["TD3", { name: "TD3", ...rates, ...noise }, 3000],
    ["SAC", { name: "SAC", ...rates }, 3000],
  ];
  const far = {
    low: [1000, 0, -INF],
    high: [1001, 1000, INF],
    best: [1000.7, 250, 0.4],
    unit: [0.5, 500, 1],
  };
  const narrow = { low: [0, -0.1], high: [1, 0.1], best: [0.7, -0.04], unit: [0.5, 0.1] };

  it.each(SETTINGS.flatMap((settings) => [far, narrow].map((range) => [...settings, range] as const)))(
    "%s",
    (name, spec, evo_steps, { best, unit, ...bounds }) => {
      const action_space = new Box(bounds);
      const env = aimEnvironment(action_space, best, unit);
      const spaces = { observation_space: env.observation_space, action_space };
      const turn = { num_envs: 8, evo_steps, eval_steps: 1, seed: 1 };
      const delayed = name === "PPO" ? {} : { off_policy: offPolicyOf({ learning_delay: 500 }) };
      const start = agentOf(spec, { ...spaces, seed: 1 });
      const { agent } = compiledTurn(start, env, { ...turn, ...delayed }, { segment: evo_steps });
      const learned = agentFromState(agent, spaces);
      const action = learned.getAction(Float32Array.of(1), { training: false }) as ArrayLike<number>;
      const off = best.map((x, i) => Math.abs((action[i] as number) - x) / (unit[i] as number));
      expect(Math.max(...off)).toBeLessThan(0.2);
    },
  );
});

describe("integers", () => {
  const space = new Box({ low: [0, -2], high: [3, 255], dtype: "int32" });

  it("have equal shares of the policy's range, and are exact in 32-bit floats", () => {
    expect(boxScale(space, [-1, 1])).toEqual({ scale: [2, 129], offset: [1.5, 126.5] });
    const widest = new Box({ low: -(2 ** 31), high: 2 ** 31 - 1, dtype: "int32" });
    expect(exactBounds(widest)).toEqual({ low: [-(2 ** 31)], high: [2 ** 31 - 128] });
  });

  it("that no 32-bit float equals are refused by name", () => {
    const odd = new Box({ low: [0, 2 ** 24 + 1], high: [1, 2 ** 24 + 1], dtype: "int32" });
    expect(() => agentIn("TD3", odd)).toThrow(
      /action_space\[1\]: found 16777217 to 16777217, allowed ranges of integers/,
    );
  });

  it.each(Object.keys(SINGLE))("%s exports them as integers", async (name) => {
    const agent = agentIn(name, space);
    const model = await RuntimeModel.load(agent.toOnnx());
    const seen = observations(2);
    const { action } = await model.run({
      observation: { type: "float32", shape: [ROWS, 2], values: [...seen] },
    });
    expect([action?.type, action?.shape]).toEqual(["int32", [ROWS, 2]]);
    const own = agent.getAction(seen, { num_envs: ROWS, training: false }) as ArrayLike<number>;
    expect(action?.values).toEqual(Array.from(own));
    await model.release();
  });

  it("of several agents are exported as such", async () => {
    const spaces = [new Agents({ a: SEEN, b: SEEN }), new Agents({ a: space, b: SEEN })] as const;
    const model = await RuntimeModel.load(agentIn("MATD3", spaces[1], spaces[0]).toOnnx());
    const types = model.outputs.map(({ name, ...data }) => [name, "type" in data ? data.type : null]);
    expect(Object.fromEntries(types)).toMatchObject({ "action.a": "int32", "action.b": "float32" });
    await model.release();
  });

  it("PPO learns from the numbers that it sampled, before they are rounded", () => {
    const agent = agentIn("PPO", space);
    if (!(agent instanceof OnPolicyAgent)) throw new Error("PPO is no on-policy agent");
    const obs = observations(2);
    const { action, applied, log_prob } = agent.sampleAction(obs, { num_envs: ROWS });
    expect([...action].every(Number.isInteger)).toBe(false);
    expect([...applied].every(Number.isInteger)).toBe(true);
    const buffer = agent.makeBuffer(ROWS);
    const flags = { terminated: new Uint8Array(ROWS), done: new Uint8Array(ROWS) };
    const reward = new Float32Array(ROWS);
    buffer.add({ obs, next_obs: obs, action, log_prob, reward, ...flags });
    expect(Number.isFinite(agent.learn(buffer).loss)).toBe(true);
  });

  it("TD3's refusal of an action says how it is scaled", () => {
    const agent = agentIn("TD3", space);
    const one = { obs: [0, 0], next_obs: [0, 0], reward: 0, done: false };
    const learn = () => (agent as InstanceType<typeof TD3>).learn({ ...one, action: [0, 12] });
    expect(learn).toThrow(/action\[1\] of transition 0: found 12, allowed -1 to 1.*: \(a - 126.5\) \/ 129/);
  });
});

describe("observations of integers", () => {
  it("beyond the bounds are read as they are; what is no number of the type is refused", () => {
    const seen = new Box({ low: [0, 0], high: [9, 9], dtype: "uint8" });
    const agent = agentIn("PPO", new Box({ low: -INF, high: INF }), seen);
    const act = (observation: number[]) => agent.getAction(observation, { training: false });
    expect(act([12, 255])).not.toEqual(act([12, 0]));
    expect(() => act([0, 256])).toThrow(/observation\[1\]: found 256, allowed whole numbers 0 to 255/);
    expect(() => act([0.5, 0])).toThrow(/observation\[0\]: found 0.5, allowed whole numbers 0 to 255/);
  });
});
