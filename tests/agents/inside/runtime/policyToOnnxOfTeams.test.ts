/** Exported multi-agent policies in onnxruntime, against the greedy actions of the library's programs. */
import { describe, expect, it } from "vitest";
import { AgentSession, type AgentState } from "../../../../src/agents/members.ts";
import { policyToOnnx } from "../../../../src/agents/runtime/policyToOnnx.ts";
import { Random } from "../../../../src/evolution/index.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { teamOf } from "../../../../src/rl/contract.ts";
import { Agents, agentChoices, Box, Dict, Discrete, MultiDiscrete } from "../../../../src/rl/spaces.ts";
import { agentOf } from "../../../rl/support/agents.ts";
import { describeModel } from "../../../support/onnxFile.ts";
import { type RuntimeInput, RuntimeModel } from "../../../support/onnxRuntime.ts";

const NAMES = ["MADDPG", "MATD3", "IPPO"] as const;
const VECTOR = new Box({ low: -2, high: 3, shape: [5] });
const TORQUES = new Box({ low: [-2, 0.5], high: [3, 0.75], shape: [2] });
const MIXED = new Dict({ wind: VECTOR, gear: new Discrete(3) });

/** Discrete and continuous actions, for agents with separate networks. */
const OWN = {
  observation_space: new Agents({ talker_0: VECTOR, walker_0: MIXED, lamp_0: new Discrete(4) }),
  action_space: new Agents({
    talker_0: new Discrete(3, { start: 2 }),
    walker_0: TORQUES,
    lamp_0: new MultiDiscrete([3, 2]),
  }),
};
/** A group that shares networks and a separate agent, in mixed order. */
const SHARED = {
  observation_space: new Agents({ prey_0: VECTOR, hunter_0: MIXED, prey_1: VECTOR }),
  action_space: new Agents({ prey_0: new Discrete(4), hunter_0: new Discrete(3), prey_1: new Discrete(4) }),
};
type Spaces = typeof OWN | typeof SHARED;

/** Encoders are chosen by the observation spaces. */
const NETWORK = { latent_dim: 16, head_config: { hidden_size: [16] } };

/**
 * An agent with random weights, as initial ones would hide errors: biases are equal, some heads are near 0.
 */
function teamOfRandom(name: (typeof NAMES)[number], spaces: Spaces): AgentState {
  const state = agentOf({ name }, { ...spaces, network: NETWORK });
  const random = new Random({ seed: 1, stream: "weights" });
  const networks = Object.entries(state.networks).map(([key, { data, tensors }]) => {
    const drawn = Object.entries(tensors).map(([tensor, values]) => [
      tensor,
      values.map(() => 1.2 * random.uniform() - 0.6),
    ]);
    return [key, { data, tensors: Object.fromEntries(drawn) }];
  });
  return { ...state, networks: Object.fromEntries(networks) };
}

const columns = (rows: Float32Array, width: number, start: number, size: number): number[] =>
  Array.from({ length: rows.length / width }, (_, i) => [
    ...rows.subarray(i * width + start, i * width + start + size),
  ]).flat();

const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0);

/** Observations and masks of `batch` lanes, and the library's actions. */
function played(agent: AgentState, spaces: Spaces, batch: number, masked: boolean) {
  const { observation_space, action_space } = spaces;
  const random = new Random({ seed: batch, stream: "observations" });
  const width = sum(observation_space.agents.map(({ size }) => size));
  const obs = new Float32Array(batch * width);
  for (let lane = 0; lane < batch; lane++) obs.set(observation_space.sample(random), lane * width);
  const choices = sum(agentChoices(action_space).map(({ size }) => size));
  // The first choice of every action component stays legal.
  const mask = Float32Array.from({ length: batch * choices }, () => (masked ? random.integer(2) : 1));
  for (const { space, start } of agentChoices(action_space)) {
    const sizes = space.kind === "MultiDiscrete" ? space.nvec : [0];
    sizes.reduce((at, size) => {
      for (let lane = 0; lane < batch; lane++) mask[lane * choices + at] = 1;
      return at + size;
    }, start);
  }
  const session = new AgentSession(new WasmDevice(), spaces, agent, 1);
  const { arena } = session.open(["greedy"], { num_envs: batch });
  arena.write("act.obs", obs);
  arena.write("act.mask", mask);
  session.run("greedy");
  const action = Float32Array.from(arena.read("act.greedy"));
  session.release();
  return { obs, width, mask, choices, action, numbers: action.length / batch };
}

/** The model's inputs for one agent, with names that end in `end`. */
function inputsOf(
  spaces: Spaces,
  id: string,
  play: ReturnType<typeof played>,
  batch: number,
  end: string,
  masked: boolean,
) {
  const input = (shape: readonly number[], values: readonly number[]): RuntimeInput => ({
    type: "float32",
    shape: [batch, ...shape],
    values,
  });
  const own = spaces.observation_space.agents.find((part) => part.id === id);
  if (!own) throw new Error(`no agent ${id}`);
  const parts =
    own.space.kind === "Dict" ? own.space.parts : [{ key: "", space: own.space, start: 0, size: own.size }];
  const seen = parts.map(({ key, space, start, size }) => [
    `observation${end}${key && `.${key}`}`,
    input(space.shape, columns(play.obs, play.width, own.start + start, size)),
  ]);
  const share = agentChoices(spaces.action_space).find((part) => part.id === id);
  const legal =
    masked && share
      ? [
          [
            `action_mask${end}`,
            input([share.size], columns(play.mask, play.choices, share.start, share.size)),
          ],
        ]
      : [];
  return Object.fromEntries([...seen, ...legal]) as Record<string, RuntimeInput>;
}

type Outputs = Awaited<ReturnType<RuntimeModel["run"]>>;
type Played = ReturnType<typeof played>;

/** Positions of an agent's action components whose choice has a clear margin in the model's outputs. */
function clearChoices(
  outputs: Outputs,
  spaces: Spaces,
  id: string,
  play: Played,
  batch: number,
  end: string,
) {
  const share = agentChoices(spaces.action_space).find((part) => part.id === id);
  if (!share) throw new Error(`${id} does not choose`);
  const logits = outputs[`logits${end}`];
  expect(logits?.shape).toEqual([batch, share.size]);
  const legal = columns(play.mask, play.choices, share.start, share.size);
  const said = (logits?.values ?? []).map((value, i) => (legal[i] === 1 ? value : Number.NEGATIVE_INFINITY));
  const sizes = share.space.kind === "MultiDiscrete" ? share.space.nvec : [share.size];
  return Array.from({ length: batch }, (_, lane) =>
    sizes.map((size, i) => {
      const from = lane * share.size + sum(sizes.slice(0, i));
      const [first = 0, second = 0] = said.slice(from, from + size).toSorted((a, b) => b - a);
      return first - second > 1e-4;
    }),
  ).flat();
}

/** Asserts that an agent's actions equal the library's: continuous to 1e-5, discrete if clear. */
function assertAgent(
  outputs: Outputs,
  spaces: Spaces,
  id: string,
  play: Played,
  batch: number,
  end: string,
): void {
  const own = spaces.action_space.agents.find((part) => part.id === id);
  if (!own) throw new Error(`no agent ${id}`);
  const found = outputs[`action${end}`];
  const isBox = own.space.kind === "Box";
  expect([found?.type, found?.shape]).toEqual([isBox ? "float32" : "int32", [batch, ...own.space.shape]]);
  const expected = columns(play.action, play.numbers, own.start, own.size);
  const clear = isBox ? expected.map(() => true) : clearChoices(outputs, spaces, id, play, batch, end);
  expect(clear.filter(Boolean).length).toBeGreaterThan(0);
  const off = expected.map((value, i) => Math.abs((found?.values[i] ?? Number.NaN) - value));
  expect(off.filter((_distance, i) => clear[i]).every((distance) => distance <= 1e-5)).toBe(true);
}

describe.each(NAMES)("policies of %s in ONNX", (name) => {
  it.each([
    ["agents with networks of their own", OWN, false],
    ["agents of a group", SHARED, false],
    ["agents that are told what is legal", OWN, true],
    ["agents of a group that are told what is legal", SHARED, true],
  ] as const)("act as the library does: %s", async (_what, spaces, mask) => {
    const agent = teamOfRandom(name, spaces);
    const model = await RuntimeModel.load(policyToOnnx(agent, { ...spaces, mask }));
    for (const batch of [1, 7]) {
      const play = played(agent, spaces, batch, mask);
      const { ids } = spaces.observation_space;
      const inputs = Object.assign({}, ...ids.map((id) => inputsOf(spaces, id, play, batch, `.${id}`, mask)));
      const outputs = await model.run(inputs);
      for (const id of ids) assertAgent(outputs, spaces, id, play, batch, `.${id}`);
    }
    await model.release();
  });

  it.each([
    ["agents with networks of their own", OWN],
    ["agents of a group", SHARED],
  ] as const)("act alone under the plain names: %s", async (_what, spaces) => {
    const agent = teamOfRandom(name, spaces);
    for (const { key, agents } of teamOf(spaces)) {
      const bytes = policyToOnnx(agent, { ...spaces, agent: key });
      const model = await RuntimeModel.load(bytes);
      const play = played(agent, spaces, 5, false);
      for (const { id } of agents) {
        const outputs = await model.run(inputsOf(spaces, id, play, 5, "", false));
        assertAgent(outputs, spaces, id, play, 5, "");
      }
      expect(describeModel(bytes).metadata).toMatchObject({ agent: key, algorithm: name });
      await model.release();
    }
  });
});

it("names what a model of one agent cannot be", () => {
  const agent = teamOfRandom("MADDPG", SHARED);
  expect(() => policyToOnnx(agent, { ...SHARED, agent: "prey_0" })).toThrow(
    'agent: found "prey_0", allowed prey, hunter; agents of the group "prey" share networks',
  );
  const single = { observation_space: VECTOR, action_space: new Discrete(2) };
  expect(() => policyToOnnx(agentOf({ name: "DQN" }, single), { ...single, agent: "prey" })).toThrow(
    'agent: found "prey", allowed none: DQN trains one agent',
  );
});
