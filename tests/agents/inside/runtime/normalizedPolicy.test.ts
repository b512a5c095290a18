/** Policies that normalise, as ONNX models and in links, against the agents themselves. */
import { describe, expect, it } from "vitest";
import { mapStatistics } from "../../../../src/agents/member/agentState.ts";
import { AgentSession, type AgentState } from "../../../../src/agents/members.ts";
import { policyToOnnx } from "../../../../src/agents/runtime/policyToOnnx.ts";
import { Random } from "../../../../src/evolution/index.ts";
import { sharedDevice } from "../../../../src/kernels/devices.ts";
import {
  Agents,
  Box,
  Discrete,
  elementSize,
  type Space,
  stackedSpace,
  Tuple,
} from "../../../../src/rl/spaces.ts";
import { agentOf, NORMALIZED, SMALL_NETWORK } from "../../../rl/support/agents.ts";
import { type RuntimeInput, RuntimeModel } from "../../../support/onnxRuntime.ts";

const box = (size: number) => new Box({ low: -500, high: 500, shape: [size] });
const TORQUES = new Box({ low: -2, high: 2, shape: [2] });
const LANES = 5;

/** The agent with statistics of some roll-out. */
function learnt(state: AgentState): AgentState {
  const random = new Random({ seed: 1, stream: "statistics" });
  const { normalization } = state;
  if (!normalization) throw new Error("the agent does not normalise");
  const drawn = {
    count: () => 100,
    mean: () => 200 * random.uniform() - 100,
    variance: () => 90_000 * random.uniform(),
    outliers: () => 0,
  };
  return {
    ...state,
    normalization: mapStatistics(normalization, (values, _of, part) => values.map(drawn[part])),
  };
}

/** Observations of some lanes, and the agent's greedy actions. */
function played(agent: AgentState, spaces: { observation_space: Space; action_space: Space }) {
  const random = new Random({ seed: 2, stream: "observations" });
  const rows = Array.from({ length: LANES }, () => [
    ...(spaces.observation_space.sample(random) as Float32Array),
  ]);
  const session = new AgentSession(sharedDevice(), spaces, agent, 1);
  const { arena } = session.open(["greedy"], { num_envs: LANES });
  arena.write("act.obs", rows.flat());
  if (arena.has("act.mask")) arena.view("act.mask").fill(1);
  session.run("greedy");
  const action = [...arena.read("act.greedy")];
  session.release();
  return { rows, action };
}

const cut = (rows: readonly (readonly number[])[], start: number, size: number): RuntimeInput => ({
  type: "float32",
  shape: [LANES, size],
  values: rows.flatMap((row) => row.slice(start, start + size)),
});

describe("a model of a policy that normalises", () => {
  it.each<[string, Space]>([
    ["a Box", box(4)],
    ["a Tuple with a choice", new Tuple([box(2), new Discrete(3), box(1)])],
  ])("reads observations of %s as the environment returns them", async (_name, observation_space) => {
    const spaces = { observation_space, action_space: TORQUES };
    const agent = learnt(
      agentOf({ name: "DDPG" }, { ...spaces, network: { latent_dim: 8 }, normalization: NORMALIZED }),
    );
    const { rows, action } = played(agent, spaces);
    const parts = observation_space.kind === "Tuple" ? observation_space.parts : [];
    const inputs = Object.fromEntries(
      parts.map(({ key, space, start, size }) => [
        `observation.${key}`,
        { ...cut(rows, start, size), shape: [LANES, ...space.shape] },
      ]),
    );
    const whole = { observation: cut(rows, 0, elementSize(observation_space)) };
    const model = await RuntimeModel.load(policyToOnnx(agent, spaces));
    const found = (await model.run(parts.length > 0 ? inputs : whole)).action?.values ?? [];
    await model.release();
    expect(found).toHaveLength(action.length);
    found.forEach((x, i) => {
      expect(Math.abs(x - (action[i] as number))).toBeLessThanOrEqual(1e-6 * 4);
    });
    expect(new Set(action.map((x) => x.toFixed(4))).size).toBeGreaterThan(2);
  });

  it.each<[string, Space, object]>([
    ["numbers", box(4), { arch: "lstm" }],
    ["a stack of numbers", stackedSpace(box(4), 3), { arch: "lstm" }],
    [
      "a stack of pictures",
      stackedSpace(new Box({ low: 0, high: 255, shape: [9, 8, 2], dtype: "uint8" }), 3),
      { arch: "cnn_lstm", channel_size: [4], kernel_size: [3], stride_size: [2], min_channel_size: 2 },
    ],
  ])("carries its memory from step to step: %s", async (_name, observation_space, encoder) => {
    const spaces = { observation_space, action_space: TORQUES };
    const encoder_config = { hidden_state_size: 8, num_layers: 1, min_hidden_state_size: 4, ...encoder };
    const network = { ...SMALL_NETWORK, latent_dim: 16, encoder_config };
    const agent = learnt(
      agentOf({ name: "PPO", recurrent: true }, { ...spaces, network, normalization: NORMALIZED }),
    );
    const session = new AgentSession(sharedDevice(), spaces, agent, 1);
    const { arena } = session.open(["greedy"], { num_envs: LANES });
    const model = await RuntimeModel.load(policyToOnnx(agent, spaces));
    const random = new Random({ seed: 3, stream: "observations" });
    const memory = model.inputs.map(({ name }) => name).filter((name) => name !== "observation");
    expect(memory).toEqual(["h0", "c0"]);
    const nothing: RuntimeInput = { type: "float32", shape: [LANES, 8], values: Array(LANES * 8).fill(0) };
    let carried = Object.fromEntries(memory.map((name) => [name, nothing]));
    for (let step = 0; step < 4; step++) {
      const values = Array.from({ length: LANES }, () => [
        ...(observation_space.sample(random) as Float32Array),
      ]).flat();
      arena.write("act.obs", values);
      session.run("greedy");
      const expected = [...arena.read("act.greedy")];
      const observation: RuntimeInput = {
        type: "float32",
        shape: [LANES, ...observation_space.shape],
        values,
      };
      const found = await model.run({ observation, ...carried });
      found.action?.values.forEach((x, i) => {
        expect(Math.abs(x - (expected[i] as number))).toBeLessThanOrEqual(1e-6 * 4);
      });
      expect(found.action?.values).toHaveLength(LANES * 2);
      carried = Object.fromEntries(
        memory.map((name) => [name, { ...nothing, values: [...(found[`next_${name}`]?.values ?? [])] }]),
      );
      expect(new Set(expected.map((x) => x.toFixed(4))).size).toBeGreaterThan(2);
    }
    session.release();
    await model.release();
  });

  it("has the statistics of its own agent; a group of several is refused", async () => {
    const own = {
      observation_space: new Agents({ a: box(2), b: box(3) }),
      action_space: new Agents({ a: TORQUES, b: TORQUES }),
    };
    const agent = learnt(
      agentOf({ name: "MADDPG" }, { ...own, network: { latent_dim: 8 }, normalization: NORMALIZED }),
    );
    const { rows, action } = played(agent, own);
    const model = await RuntimeModel.load(policyToOnnx(agent, { ...own, agent: "b" }));
    const found = (await model.run({ observation: cut(rows, 2, 3) })).action?.values ?? [];
    await model.release();
    const expected = rows.flatMap((_row, i) => action.slice(4 * i + 2, 4 * i + 4));
    found.forEach((x, i) => {
      expect(Math.abs(x - (expected[i] as number))).toBeLessThanOrEqual(1e-6 * 4);
    });
    const group = {
      observation_space: new Agents({ a_0: box(2), a_1: box(2) }),
      action_space: new Agents({ a_0: TORQUES, a_1: TORQUES }),
    };
    const two = learnt(
      agentOf({ name: "MADDPG" }, { ...group, network: { latent_dim: 8 }, normalization: NORMALIZED }),
    );
    expect(() => policyToOnnx(two, { ...group, agent: "a" })).toThrow(/a_0, a_1.*export the whole team/);
  });
});
