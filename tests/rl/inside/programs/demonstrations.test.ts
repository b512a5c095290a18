/** Batches with demonstrations, and the loss of imitating them. */
import { describe, expect, it } from "vitest";
import { bindAgent, DeviceReplay, offPolicyContents, structureOf } from "../../../../src/agents/members.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { cast, constant, state, type Tensor, trace } from "../../../../src/kernels/index.ts";
import { counter } from "../../../../src/rl/contract.ts";
import { PPO } from "../../../../src/rl/definitions.ts";
import { withImitation } from "../../../../src/rl/programs/imitation.ts";
import { readLearner } from "../../../../src/rl/programs/learning.ts";
import { drawBatch } from "../../../../src/rl/programs/offPolicy.ts";
import { gather, reprioritise } from "../../../../src/rl/programs/priorities.ts";
import type { OnPolicyStructure } from "../../../../src/rl/programs/rolloutLearning.ts";
import { IMITATION, takeTransitions } from "../../../../src/rl/programs.ts";
import { Box, Discrete, MultiDiscrete, type Space } from "../../../../src/rl/spaces.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { agentOf } from "../../support/agents.ts";
import { offPolicyOf } from "../../support/turns.ts";
import { agentBuffers, expectSlopes, type LossPart, writeLoss } from "../support/lossSlopes.ts";

const device = new WasmDevice();
const layout = { observation_space: new Box({ low: -1e9, high: 1e9 }), action_space: new Discrete(2) };
const [SEGMENT, SHOWN, LANES] = [6, 5, 2];

interface Case {
  readonly batch: number;
  readonly share: number;
  readonly n_step?: number;
  readonly prioritized?: boolean;
}

/** Batches from one segment of six rows, whose rewards are 0, and five demonstrations with a reward of 1 each. */
function drawn({ batch, share, n_step = 1, prioritized = false }: Case, draws: number) {
  const kind = { n_step, prioritized, demonstrations: share };
  const program = trace("draw", () => {
    if (prioritized) gather(constant(0, "i32"));
    const { drawn: own, weight } = drawBatch(state("step", [], { dtype: "i32" }).read(), kind);
    const { obs, reward, next_obs } = takeTransitions(layout, own, kind);
    const out = {
      obs,
      reward,
      next_obs,
      shown: cast(own.shown ?? constant(0), "f32"),
      ...(weight && { weight }),
    };
    for (const [name, x] of Object.entries(out)) state(`out.${name}`, x.shape).write(x);
    if (prioritized) reprioritise(own.index, state("errors", own.index.shape).read(), own.shown);
  });
  const replay = new DeviceReplay(device, layout, 1, SEGMENT, kind, SHOWN);
  const sizes = { num_envs: LANES, batch, population: 1, capacity: replay.capacity, priority_fan: 4 };
  const arena = device.arena(program.states.values(), sizes, replay.arena);
  const bound = device.compile(program).bind(arena);
  const rows = Array.from({ length: SEGMENT + SHOWN }, (_, i) => i);
  for (const field of ["obs", "next_obs"]) replay.arena.write(`replay.${field}`, rows);
  replay.arena.write(
    "replay.reward",
    rows.map((row) => Number(row >= SEGMENT)),
  );
  // The second demonstration ends its episode.
  replay.arena.write(
    "replay.ended",
    rows.map((row) => Number(row === SEGMENT + 1)),
  );
  const priorities = prioritized
    ? { leaves: Float32Array.of(1, 1, 1, 1, 1, 1), largest: 1, alpha: 1, progress: 1, progress_step: 0 }
    : null;
  const off = offPolicyOf({ ring: { position: 0, count: SEGMENT }, priorities });
  const contents = [
    ...offPolicyContents({ slot: 0, evo_steps: 1, num_envs: LANES }, SEGMENT, off),
    ...replay.demonstrationContents,
    ["hp.gamma", [0.5]] as const,
    ["hp.beta", [1]] as const,
    ["errors", Array.from({ length: batch }, (_, i) => i + 2)] as const,
    ["key.0", [7]] as const,
  ];
  for (const [name, values] of contents) if (arena.has(name)) arena.write(name, values);
  const batches = Array.from({ length: draws }, (_, step) => {
    arena.write("step", [step]);
    bound.run();
    const out = (name: string) => [...arena.read(`out.${name}`)];
    const leaves = prioritized ? [...arena.read("priority.leaf3")] : [];
    return {
      obs: out("obs"),
      reward: out("reward"),
      next_obs: out("next_obs"),
      shown: out("shown"),
      leaves,
      weight: prioritized ? out("weight") : [],
    };
  });
  for (const thing of [bound, arena, replay]) thing.release();
  return batches;
}

describe("a batch with demonstrations", () => {
  it.each([
    [8, 0.5, 4],
    [8, 0.3, 2],
    [8, 0.01, 1],
    [8, 0.99, 7],
    [1, 0.5, 0],
  ])("of %i rows with a share of %d has %i of them, first", (batch, share, many) => {
    for (const { obs, shown } of drawn({ batch, share }, 4)) {
      expect(obs.map((row) => Number(row >= SEGMENT))).toEqual(obs.map((_, i) => Number(i < many)));
      expect(shown).toEqual(obs.map((_, i) => Number(i < many)));
    }
  });

  it("has every row of both about equally often", () => {
    const counts = new Array<number>(SEGMENT + SHOWN).fill(0);
    for (const { obs } of drawn({ batch: 60, share: 0.5 }, 100))
      for (const row of obs) counts[row] = (counts[row] ?? 0) + 1;
    // 3,000 of each: five standard deviations are 22% of 500.
    for (const count of counts.slice(0, SEGMENT)) expect(Math.abs(count / 500 - 1)).toBeLessThan(0.22);
    for (const count of counts.slice(SEGMENT)) expect(Math.abs(count / 600 - 1)).toBeLessThan(0.22);
  });

  it("follows a demonstration's own episode over several steps", () => {
    // Rewards of 1, halved: 1.5 over two steps, 1 where the episode or the data end.
    const found = new Map<number, [number, number]>();
    for (const { obs, reward, next_obs } of drawn({ batch: 20, share: 0.5, n_step: 2 }, 20))
      obs.forEach(
        (row, i) =>
          row >= SEGMENT &&
          found.set(row - SEGMENT, [reward[i] as number, (next_obs[i] as number) - SEGMENT]),
      );
    expect(Object.fromEntries(found)).toEqual({
      0: [1.5, 1],
      1: [1, 1],
      2: [1.5, 3],
      3: [1.5, 4],
      4: [1, 4],
    });
  });

  it("by priority draws its other rows from all of the mass, and gives demonstrations no priority", () => {
    const [first] = drawn({ batch: 12, share: 0.5, prioritized: true }, 1);
    // Six equal priorities in six strata: each row once.
    expect(first?.obs.slice(6)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(first?.obs.slice(0, 6).every((row) => row >= SEGMENT)).toBe(true);
    expect(first?.weight).toEqual(new Array<number>(12).fill(1));
    const [after = []] = [first?.leaves.slice(0, SEGMENT)];
    after.forEach((leaf, i) => expect(leaf).toBeCloseTo(8 + i, 3));
    expect(first?.leaves.slice(SEGMENT).every((leaf) => leaf === 0)).toBe(true);
  });
});

const smooth = { activation: "Tanh", hidden_size: [6] };
const network = {
  latent_dim: 8,
  encoder_config: { ...smooth, output_activation: "Tanh" },
  head_config: smooth,
};
const [ROWS, WEIGHT, STEP] = [7, 0.9, 0.1];

describe("imitation", () => {
  const observation_space = new Box({ low: -1, high: 1, shape: [3] });
  const cases: [string, Space, object][] = [
    ["choices", new Discrete(3), network],
    ["several choices", new MultiDiscrete([2, 3]), network],
    ["numbers", new Box({ low: [-1, -2], high: [1, 3], shape: [2] }), network],
    ["squashed numbers", new Box({ low: -1, high: 1, shape: [2] }), { ...network, squash_output: true }],
  ];

  it.each(cases)("of %s has the gradient that its loss has slopes", (_name, action_space, own) => {
    const agent = agentOf(
      { name: "PPO", share_encoders: false },
      { observation_space, action_space, network: own },
    );
    const spaces = { observation_space, action_space };
    const programOf = (part: LossPart) =>
      trace("imitation", () => {
        const structure = structureOf(agent) as OnPolicyStructure;
        const learner = readLearner(structure);
        const { losses } = withImitation(structure, learner, spaces, {
          losses: { optimizer: constant(0) },
          metrics: {},
        });
        writeLoss(part, agent, learner, "optimizer", losses.optimizer as Tensor);
      });
    const next = numbers(4);
    const width = action_space.kind === "Discrete" ? 1 : (action_space.shape[0] as number);
    const fill = (n: number, value = () => 2 * next() - 1) => Array.from({ length: n }, value);
    const initial = {
      ...agentBuffers(agent, next),
      "replay.obs": fill(3 * ROWS),
      "replay.next_obs": fill(3 * ROWS),
      "replay.action":
        action_space.kind === "Box"
          ? fill(width * ROWS, () => 1.6 * next() - 0.8)
          : fill(width * ROWS, () => Math.floor(2 * next())),
      "replay.reward": fill(ROWS),
      "replay.done": fill(ROWS, () => 0),
      "demonstrations.count": [ROWS],
      // Two vector steps before a rollout of two.
      "counter.vector_step": [4],
      [IMITATION.weight]: [WEIGHT],
      [IMITATION.step]: [STEP],
    };
    const [loss, gradients] = [programOf("loss"), programOf("gradients")];
    const binding = bindAgent(agent, { num_envs: 1, batch: 5, horizon: 2, capacity: ROWS });
    const still = expectSlopes({ agent, optimizer: "optimizer", loss, gradients, binding, initial });
    // Only the policy is trained by it.
    expect(still.every((name) => name.startsWith("critic"))).toBe(true);
    expect(still.length).toBeGreaterThan(0);
  });

  it("weighs the mean of minus the log-probability, less by each vector step, down to 0", () => {
    const action_space = new Discrete(3);
    const agent = agentOf({ name: "PPO" }, { observation_space, action_space, network });
    const spaces = { observation_space, action_space };
    const program = trace("weight", () => {
      const structure = structureOf(agent) as OnPolicyStructure;
      const learner = readLearner(structure);
      const zero = { losses: { optimizer: constant(0) }, metrics: {} };
      const { losses } = withImitation(structure, learner, spaces, zero);
      state("out", []).write(losses.optimizer as Tensor);
    });
    const replay = new DeviceReplay(device, spaces, 1, 0, undefined, 1);
    const binding = bindAgent(agent, { num_envs: 1, batch: 4, horizon: 2, capacity: 1 });
    const arena = device.arena(program.states.values(), binding, replay.arena);
    const bound = device.compile(program).bind(arena);
    // Without weights, all choices are as likely.
    for (const [name, { tensors }] of Object.entries(agent.networks))
      for (const [key, values] of Object.entries(tensors))
        if (arena.has(`${name}.${key}`)) arena.write(`${name}.${key}`, new Float32Array(values.length));
    for (const [name, values] of replay.demonstrationContents) arena.write(name, values);
    arena.write(IMITATION.weight, [WEIGHT]);
    arena.write(IMITATION.step, [STEP]);
    const at = (step: number): number => {
      arena.write("counter.vector_step", [step]);
      bound.run();
      return arena.read("out")[0] as number;
    };
    expect(at(2)).toBeCloseTo(WEIGHT * Math.log(3), 5);
    expect(at(5)).toBeCloseTo((WEIGHT - 3 * STEP) * Math.log(3), 5);
    expect(at(50)).toBe(0);
    for (const thing of [bound, arena, replay]) thing.release();
  });

  it("needs an algorithm that knows the probabilities of given actions", () => {
    const action_space = new Discrete(3);
    const agent = agentOf({ name: "PPO" }, { observation_space, action_space, network });
    const { logProb: _, ...others } = PPO;
    const program = () =>
      trace("without", () => {
        // As an algorithm that does not say them.
        const structure = { ...structureOf(agent), algorithm: others } as unknown as OnPolicyStructure;
        const zero = { losses: { optimizer: constant(0) }, metrics: {} };
        withImitation(structure, readLearner(structure), { observation_space, action_space }, zero);
        counter("draw");
      });
    expect(program).toThrow("PPO: has no probabilities of given actions");
  });
});
