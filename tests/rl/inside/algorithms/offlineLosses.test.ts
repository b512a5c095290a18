/** Losses of algorithms that learn from data: against the papers' equations in plain 64-bit numbers, and their slopes. */
import { describe, expect, it } from "vitest";
import { type AgentState, bindAgent, structureOf } from "../../../../src/agents/members.ts";
import {
  concat,
  constant,
  iota,
  meanAll,
  mul,
  neg,
  type Program,
  reshape,
  type Shape,
  square,
  state,
  sub,
  type Tensor,
  trace,
} from "../../../../src/kernels/index.ts";
import type { AlgoSpecInput } from "../../../../src/manifests/index.ts";
import { dataPolicy } from "../../../../src/rl/algorithms/offlineLearning.ts";
import { networkNamed } from "../../../../src/rl/contract/network.ts";
import {
  type Batch,
  learningNormals,
  learningUniforms,
  type Networks,
  normals,
  type OffPolicyAlgorithm,
} from "../../../../src/rl/contract.ts";
import { readLearner, readNetworks } from "../../../../src/rl/programs/learning.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";
import { numbers } from "../../../kernels/support/numbers.ts";
import { type Buffers, runOnReference } from "../../../kernels/support/run.ts";
import { agentOf } from "../../support/agents.ts";
import { agentBuffers, expectSlopes, type LossPart, writeLoss } from "../support/lossSlopes.ts";

const observation_space = new Box({ low: -1, high: 1, shape: [3] });
const [ROWS, CHOICES, SIZE] = [4, 3, 2];
const choices = new Discrete(CHOICES);
const wide = new Box({ low: [-1, -2], high: [1, 3], shape: [SIZE] });
const smooth = { activation: "Tanh", hidden_size: [6] };
const network = {
  latent_dim: 8,
  encoder_config: { ...smooth, output_activation: "Tanh" },
  head_config: smooth,
};

const read = (name: string, shape: Shape = [ROWS]): Tensor => state(`batch.${name}`, shape).read();

const batchOf = (isChoice: boolean): Batch => ({
  obs: read("obs", [ROWS, 3]),
  action: isChoice ? state("batch.action", [ROWS], { dtype: "i32" }).read() : read("action", [ROWS, SIZE]),
  reward: read("reward"),
  next_obs: read("next_obs", [ROWS, 3]),
  done: read("done"),
  discount: read("discount"),
  row: iota(ROWS, "u32"),
});

const lossProgram = (part: LossPart, agent: AgentState, optimizer: string, isChoice: boolean): Program =>
  trace("loss", () => {
    const structure = structureOf(agent);
    const learner = readLearner(structure);
    const { learn, delayed } = structure.algorithm as OffPolicyAlgorithm;
    const learning = delayed?.optimizers.includes(optimizer) ? delayed.learn : learn;
    const { losses } = learning(learner.networks, batchOf(isChoice), agent.hyperparameters, learner.values, {
      observation_space,
      action_space: isChoice ? choices : wide,
    });
    writeLoss(part, agent, learner, optimizer, losses[optimizer] as Tensor);
  });

type Rows = number[][];
const rowsOf = (flat: ArrayLike<number>, width: number): Rows =>
  Array.from({ length: flat.length / width }, (_, i) => Array.from(flat).slice(i * width, (i + 1) * width));

/** An agent with random weights, a batch, and both in plain numbers. */
function start(spec: AlgoSpecInput, isChoice: boolean) {
  const agent = agentOf(spec, { observation_space, action_space: isChoice ? choices : wide, network });
  const next = numbers(4);
  const fill = (n: number, value = () => 2 * next() - 1) => Array.from({ length: n }, value);
  const initial: Buffers = {
    ...agentBuffers(agent, next),
    "batch.obs": fill(ROWS * 3),
    "batch.next_obs": fill(ROWS * 3),
    "batch.action": isChoice ? fill(ROWS, () => Math.floor(CHOICES * next())) : fill(ROWS * SIZE),
    "batch.reward": fill(ROWS),
    "batch.done": [0, 1, 0, 0],
    "batch.discount": fill(ROWS, () => 0.9 + 0.1 * next()),
    "key.0": [5],
    "key.1": [7],
  };
  const run = (program: Program, more: Buffers = {}) =>
    runOnReference(
      program,
      bindAgent(agent, { num_envs: 1, batch: ROWS }),
      { ...initial, ...more },
      {
        precision: "f64",
      },
    );
  const loss = (optimizer: string): number =>
    run(lossProgram("loss", agent, optimizer, isChoice)).loss?.[0] ?? Number.NaN;
  /** Outputs of a network. */
  const out = (name: string, obs: Rows, action?: Rows): Rows => {
    const program = trace("out", () => {
      const own = networkNamed(readNetworks(structureOf(agent)), name);
      const seen = state("x.obs", [obs.length, 3]).read();
      const found = action
        ? own.value(seen, state("x.action", [obs.length, SIZE]).read())
        : own.forward(seen);
      state("found", found.shape).write(found);
    });
    const { found = [] } = run(program, { "x.obs": obs.flat(), "x.action": action?.flat() ?? [] });
    return rowsOf(found, found.length / obs.length);
  };
  const vectors = (make: (row: Tensor) => readonly Tensor[]): Rows => {
    const program = trace("noise", () => {
      make(iota(ROWS, "u32")).forEach((vector, i) => state(`noise.${i}`, [ROWS]).write(vector));
    });
    const found = run(program);
    return Object.keys(found)
      .filter((name) => name.startsWith("noise."))
      .toSorted((a, b) => Number(a.slice(6)) - Number(b.slice(6)))
      .map((name) => [...(found[name] ?? [])]);
  };
  const flat = (name: string): number[] => [...(initial[`batch.${name}`] ?? [])];
  return {
    agent,
    initial,
    loss,
    out,
    vectors,
    obs: rowsOf(flat("obs"), 3),
    next_obs: rowsOf(flat("next_obs"), 3),
    action: rowsOf(flat("action"), isChoice ? 1 : SIZE),
    log_std: [...(initial["actor.head_net.log_std"] ?? initial["actor.log_std"] ?? [])],
    /** r + discount (1 - d) v. */
    target: (value: readonly number[]): number[] =>
      value.map(
        (v, i) =>
          (flat("reward")[i] as number) +
          (flat("discount")[i] as number) * (1 - (flat("done")[i] as number)) * v,
      ),
  };
}
type Start = ReturnType<typeof start>;

const mean = (x: readonly number[]): number => x.reduce((sum, one) => sum + one, 0) / x.length;
const squares = (x: readonly number[], y: readonly number[]) =>
  mean(x.map((one, i) => (one - (y[i] as number)) ** 2));
const first = (rows: Rows): number[] => rows.map(([x]) => x as number);
const both = (x: readonly number[], y: readonly number[], of: (a: number, b: number) => number): number[] =>
  x.map((one, i) => of(one, y[i] as number));
const logSumExp = (x: readonly number[]): number => Math.log(x.reduce((sum, one) => sum + Math.exp(one), 0));
/** log of the density of a Gaussian's point. */
const gaussian = (x: number, m: number, s: number): number =>
  -0.5 * ((x - m) / Math.exp(s)) ** 2 - s - 0.5 * Math.log(2 * Math.PI);

/** log pi(a|s) of the data's actions. */
function logProbs({ out, obs, action, log_std }: Start, isChoice: boolean): number[] {
  return out("actor", obs).map((row, i) =>
    isChoice
      ? (row[action[i]?.[0] as number] as number) - logSumExp(row)
      : row.reduce((sum, m, k) => sum + gaussian(action[i]?.[k] as number, m, log_std[k] as number), 0),
  );
}

/** Q(s, a) of the data's actions. */
const valuesOf = ({ out, obs, action }: Start, critic: string, isChoice: boolean): number[] =>
  isChoice
    ? out(critic, obs).map((row, i) => row[action[i]?.[0] as number] as number)
    : first(out(critic, obs, action));

/** Standard normal draws of the actions of each row, [ROWS][SIZE], from vectors. */
const drawn = (vectors: Rows, from: number): Rows =>
  Array.from({ length: ROWS }, (_, i) =>
    Array.from({ length: SIZE }, (_, k) => vectors[from + k]?.[i] as number),
  );

/** Checks the policy's gradient against the slopes of a loss. */
function expectActorSlopes(
  { agent, initial }: Start,
  isChoice: boolean,
  lossOf: (networks: Networks<"actor" | "critic_1">, batch: Batch) => Tensor,
): void {
  const optimizer = "actor_optimizer";
  const loss = trace("intended", () => {
    const networks = readNetworks(structureOf(agent));
    const named = { actor: networkNamed(networks, "actor"), critic_1: networkNamed(networks, "critic_1") };
    state("loss", []).write(lossOf(named, batchOf(isChoice)));
  });
  const gradients = lossProgram("gradients", agent, optimizer, isChoice);
  const binding = bindAgent(agent, { num_envs: 1, batch: ROWS });
  expect(expectSlopes({ agent, optimizer, loss, gradients, binding, initial })).toEqual([]);
}

const cut = (x: number): number => Math.min(1, Math.max(-1, x));
const DIGITS = 9;

describe("losses are those of the papers' equations in", () => {
  it.each([
    ["choices", true, "mse"],
    ["numbers by squares", false, "mse"],
    ["numbers by likelihood", false, "nll"],
  ] as const)("BC, %s", (_name, isChoice, kind) => {
    const given = start({ name: "BC", loss: kind }, isChoice);
    const expected =
      isChoice || kind === "nll"
        ? -mean(logProbs(given, isChoice))
        : squares(given.out("actor", given.obs).flat(), given.action.flat());
    expect(given.loss("optimizer")).toBeCloseTo(expected, DIGITS);
  });

  it("TD3BC", () => {
    const given = start({ name: "TD3BC", alpha: 1.7 }, false);
    const noise = drawn(
      given.vectors((row) => learningNormals(row, SIZE)),
      0,
    );
    const next = given
      .out("actor_target", given.next_obs)
      .map((row, i) => row.map((a, k) => cut(a + Math.min(0.5, Math.max(-0.5, 0.2 * (noise[i]?.[k] ?? 0))))));
    const [t1, t2] = [1, 2].map((i) => first(given.out(`critic_target_${i}`, given.next_obs, next)));
    const target = given.target(both(t1 as number[], t2 as number[], Math.min));
    for (const i of [1, 2])
      expect(given.loss(`critic_${i}_optimizer`)).toBeCloseTo(
        squares(valuesOf(given, `critic_${i}`, false), target),
        DIGITS,
      );
    const own = given.out("actor", given.obs);
    const q = first(given.out("critic_1", given.obs, own));
    const lambda = 1.7 / mean(q.map(Math.abs));
    const expected = -lambda * mean(q) + squares(own.flat(), given.action.flat());
    expect(given.loss("actor_optimizer")).toBeCloseTo(expected, DIGITS);
    // lambda is a constant of its gradient.
    expectActorSlopes(given, false, ({ actor, critic_1 }, { obs, action }) => {
      const acted = actor.forward(obs);
      const imitation = meanAll(square(sub(acted, action)));
      return sub(imitation, mul(lambda, meanAll(critic_1.value(obs, acted))));
    });
  });

  it.each([true, false])("IQL, choices %s", (isChoice) => {
    const fields = { name: "IQL", expectile: 0.8, beta: 2 } as const;
    const advantageOf = ({ out, obs, ...rest }: Start): number[] => {
      const known = [1, 2].map((i) => valuesOf({ out, obs, ...rest }, `critic_target_${i}`, isChoice));
      const [t1, t2] = known as [number[], number[]];
      return both(both(t1, t2, Math.min), first(out("value", obs)), (q, v) => q - v);
    };
    const uncut = advantageOf(start(fields, isChoice)).map((u) => Math.exp(2 * u));
    // The limit cuts some weights.
    const max_weight = Math.max(1, (Math.min(...uncut) + Math.max(...uncut)) / 2);
    const given = start({ ...fields, max_weight }, isChoice);
    const advantage = advantageOf(given);
    expect(given.loss("value_optimizer")).toBeCloseTo(
      mean(advantage.map((u) => Math.abs(0.8 - (u < 0 ? 1 : 0)) * u * u)),
      DIGITS,
    );
    const target = given.target(first(given.out("value", given.next_obs)));
    for (const i of [1, 2])
      expect(given.loss(`critic_${i}_optimizer`)).toBeCloseTo(
        squares(valuesOf(given, `critic_${i}`, isChoice), target),
        DIGITS,
      );
    const weights = uncut.map((w) => Math.min(w, max_weight));
    const expected = -mean(both(weights, logProbs(given, isChoice), (w, p) => w * p));
    expect(given.loss("actor_optimizer")).toBeCloseTo(expected, DIGITS);
  });

  it.each([true, false])("AWAC, choices %s", (isChoice) => {
    const given = start({ name: "AWAC", lambda: 0.6 }, isChoice);
    const uniform = (row: Tensor) =>
      [0, 1].flatMap((i) => normals((many) => learningUniforms(row, i * SIZE, many), SIZE));
    const noise = isChoice ? [] : given.vectors(uniform);
    const policyValue = (
      at: "obs" | "next_obs",
      names: readonly [string, string],
      from: number,
    ): number[] => {
      const own = given.out("actor", given[at]);
      if (isChoice) {
        const [q1, q2] = names.map((name) => given.out(name, given[at])) as [Rows, Rows];
        return own.map((row, i) =>
          row.reduce(
            (sum, logit, k) =>
              sum + Math.exp(logit - logSumExp(row)) * Math.min(q1[i]?.[k] as number, q2[i]?.[k] as number),
            0,
          ),
        );
      }
      const noises = drawn(noise, from);
      const actions = own.map((row, i) =>
        row.map((m, k) => cut(m + Math.exp(given.log_std[k] as number) * (noises[i]?.[k] as number))),
      );
      const [q1, q2] = names.map((name) => first(given.out(name, given[at], actions))) as [
        number[],
        number[],
      ];
      return both(q1, q2, Math.min);
    };
    const target = given.target(policyValue("next_obs", ["critic_target_1", "critic_target_2"], 0));
    const values = [1, 2].map((i) => valuesOf(given, `critic_${i}`, isChoice)) as [number[], number[]];
    for (const i of [1, 2])
      expect(given.loss(`critic_${i}_optimizer`)).toBeCloseTo(squares(values[i - 1] ?? [], target), DIGITS);
    const own = policyValue("obs", ["critic_1", "critic_2"], SIZE);
    const weights = both(both(...values, Math.min), own, (q, v) => Math.exp((q - v) / 0.6));
    const expected = -mean(both(weights, logProbs(given, isChoice), (w, p) => w * p));
    expect(given.loss("actor_optimizer")).toBeCloseTo(expected, DIGITS);
    // So are the weights.
    expectActorSlopes(given, isChoice, ({ actor }, { obs, action }) =>
      neg(
        meanAll(
          mul(concat(weights.map((w) => reshape(constant(w), [1]))), dataPolicy(actor, obs).logProb(action)),
        ),
      ),
    );
  });

  it("CQL, beside those of SAC", () => {
    const [EACH, WEIGHT] = [3, 2.5];
    const given = start({ name: "CQL", num_actions: EACH, conservative_weight: WEIGHT }, false);
    const sac = start({ name: "CQL", conservative_weight: 0 }, false);
    for (const optimizer of ["actor_optimizer", "alpha_optimizer"])
      expect(given.loss(optimizer)).toBeCloseTo(sac.loss(optimizer), DIGITS);
    const many = EACH * SIZE;
    const noise = given.vectors((row) => normals((n) => learningUniforms(row, 2 * SIZE, n), many));
    const even = given.vectors((row) => learningUniforms(row, 2 * SIZE + many, many));
    const heads = given.out("actor", given.obs);
    for (const critic of ["critic_1", "critic_2"]) {
      const terms: Rows = Array.from({ length: ROWS }, () => []);
      for (let j = 0; j < EACH; j++) {
        const uniforms = drawn(even, j * SIZE).map((row) => row.map((u) => 2 * u - 1));
        first(given.out(critic, given.obs, uniforms)).forEach((q, i) =>
          terms[i]?.push(q - SIZE * Math.log(1 / 2)),
        );
        const before = drawn(noise, j * SIZE).map((row, i) =>
          row.map((n, k) => (heads[i]?.[k] as number) + Math.exp(heads[i]?.[SIZE + k] as number) * n),
        );
        const own = before.map((row) => row.map(Math.tanh));
        first(given.out(critic, given.obs, own)).forEach((q, i) => {
          const density = (before[i] ?? []).reduce((sum, u, k) => {
            const [m, s] = [heads[i]?.[k] as number, heads[i]?.[SIZE + k] as number];
            return sum + gaussian(u, m, s) - Math.log(1 - Math.tanh(u) ** 2);
          }, 0);
          terms[i]?.push(q - density);
        });
      }
      const most = terms.map((row) => logSumExp(row) - Math.log(2 * EACH));
      const conservative = mean(both(most, valuesOf(given, critic, false), (m, q) => m - q));
      const optimizer = `${critic}_optimizer`;
      expect(given.loss(optimizer)).toBeCloseTo(sac.loss(optimizer) + WEIGHT * conservative, DIGITS);
    }
  });
});

const CASES: readonly (readonly [AlgoSpecInput, boolean, readonly string[]])[] = [
  [{ name: "BC" }, true, ["optimizer"]],
  [{ name: "BC", loss: "nll" }, false, ["optimizer"]],
  [{ name: "TD3BC" }, false, ["critic_1_optimizer"]],
  [{ name: "IQL" }, true, ["actor_optimizer", "critic_2_optimizer", "value_optimizer"]],
  [{ name: "IQL" }, false, ["actor_optimizer", "critic_1_optimizer", "value_optimizer"]],
  [{ name: "AWAC" }, false, ["critic_2_optimizer"]],
  [{ name: "CQL", num_actions: 2 }, false, ["critic_1_optimizer", "critic_2_optimizer"]],
];

describe("gradients of these losses are their slopes", () => {
  it.each(
    CASES.flatMap(([spec, isChoice, optimizers]) => optimizers.map((o) => [spec, isChoice, o] as const)),
  )("%o, choices %s: %s", (spec, isChoice, optimizer) => {
    const { agent, initial } = start(spec, isChoice);
    const still = expectSlopes({
      agent,
      optimizer,
      loss: lossProgram("loss", agent, optimizer, isChoice),
      gradients: lossProgram("gradients", agent, optimizer, isChoice),
      binding: bindAgent(agent, { num_envs: 1, batch: ROWS }),
      initial,
    });
    expect(still).toEqual([]);
  });
});
