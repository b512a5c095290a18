/** SAC's learning steps on wasm, in 32-bit numbers, beside the restatement in 64-bit numbers. */
import { beforeAll, describe, expect, it } from "vitest";
import { SAC } from "../../../../src/agents/index.ts";
import type { AgentState } from "../../../../src/agents/members.ts";
import { Random } from "../../../../src/evolution/index.ts";
import { iota, stackColumns, state, trace } from "../../../../src/kernels/index.ts";
import { learningNormals } from "../../../../src/rl/contract.ts";
import { Box } from "../../../../src/rl/spaces.ts";
import { runOnReference } from "../../../kernels/support/run.ts";
import { bySign, type Decide, type PlainBatch, PlainSac, type Unit } from "../../support/plainSac.ts";

const ROWS = 16;
const STEPS = 73;
const WIDTH = 3;
const NETWORKS = ["actor", "critic_1", "critic_2"] as const;
/** How far rounding alone moves a network, as a share of what it learned. */
const ROUNDING = 2e-5;
/** How near to 0 a number must be for the two precisions to see different signs. */
const NEAR = 1e-6;

const spaces = {
  observation_space: new Box({ low: -1, high: 1, shape: [WIDTH] }),
  action_space: new Box({ low: -2, high: 2 }),
};
const agentOf = (seed: number): SAC =>
  new SAC({
    ...spaces,
    seed,
    ...{ batch_size: ROWS, lr_actor: 1e-3, lr_critic: 1e-3 },
    net_config: { latent_dim: 8, encoder_config: { hidden_size: [8] }, head_config: { hidden_size: [8] } },
  });

const noiseProgram = trace("noise", () => {
  const noise = stackColumns(learningNormals(iota(ROWS, "u32"), 2));
  state("noise", noise.shape).write(noise);
});

const rowsOf = (flat: ArrayLike<number>, width: number): number[][] =>
  Array.from({ length: ROWS }, (_row, row) =>
    Array.from({ length: width }, (_value, i) => flat[row * width + i] as number),
  );

/** Distance of each network from the restatement, as a share of what it learned since `start`. */
const departures = (agent: SAC, start: AgentState, plain: PlainSac): number[] =>
  NETWORKS.map((name) => {
    let [off, learned] = [0, 0];
    for (const [key, values] of Object.entries(agent.state.networks[name]?.tensors ?? {}))
      for (const [i, x] of values.entries()) {
        off += (x - (plain.networks[name]?.[key]?.[i] ?? Number.NaN)) ** 2;
        learned += (x - (start.networks[name]?.tensors[key]?.[i] ?? Number.NaN)) ** 2;
      }
    return Math.sqrt(off / learned);
  });

/** Departures after each learning step from restatements that decide about units in different ways. */
function departuresOf(seed: number, ...deciders: readonly ((step: number) => Decide)[]): number[][][] {
  const agent = agentOf(seed);
  const start = agent.state;
  const plain = deciders.map(() => new PlainSac(start));
  const random = new Random({ seed, stream: "batches" });
  const fill = (n: number) => Float32Array.from({ length: n }, () => 2 * random.uniform() - 1);
  const found: number[][][] = deciders.map(() => []);
  for (let step = 0; step < STEPS; step++) {
    const [obs, action, reward] = [fill(WIDTH * ROWS), fill(ROWS), fill(ROWS)];
    const next_obs = fill(WIDTH * ROWS);
    const done = fill(ROWS).map((x) => (x > 0.6 ? 1 : 0));
    const { arena } = agent.session.open(["learn"], { batch: ROWS });
    const keys = Object.fromEntries(["key.0", "key.1"].map((key) => [key, [...arena.read(key)]]));
    const { noise = [] } = runOnReference(noiseProgram, {}, { ...keys, "counter.learned": [step] });
    agent.learn({ obs, action, reward, next_obs, done });
    const batch: PlainBatch = {
      obs: rowsOf(obs, WIDTH),
      action: rowsOf(action, 1),
      reward: [...reward],
      next_obs: rowsOf(next_obs, WIDTH),
      done: [...done],
      noise: rowsOf(noise, 2),
    };
    for (const [i, decider] of deciders.entries()) {
      plain[i]?.learn(batch, decider(step));
      found[i]?.push(departures(agent, start, plain[i] as PlainSac));
    }
  }
  return found;
}

const worst = (departed: readonly (readonly number[])[]): number => Math.max(...departed.flat());

it("networks stay within rounding of the restatement in every step", () => {
  const [departed = []] = departuresOf(1, () => bySign);
  expect(departed).toHaveLength(STEPS);
  expect(worst(departed)).toBeLessThan(ROUNDING);
});

describe("a network that departs much further", () => {
  const near: (Unit & { readonly step: number })[] = [];
  let [bare, forced]: number[][][] = [[], []];

  beforeAll(() => {
    const noting =
      (step: number): Decide =>
      (unit) => {
        if (Math.abs(unit.input) < NEAR) near.push({ ...unit, step });
        return bySign(unit);
      };
    const forcing =
      (_step: number): Decide =>
      (unit) =>
        Math.abs(unit.input) < NEAR ? !bySign(unit) : bySign(unit);
    [bare, forced] = departuresOf(13, noting, forcing);
  });

  it("does so from the step in which the two critics differ by less than rounding", () => {
    expect(near).toMatchObject([{ place: "least@own", row: 0, step: 51 }]);
    expect(worst(bare?.slice(0, 51) ?? [])).toBeLessThan(ROUNDING);
    const [actor = 0, ...critics] = bare?.[51] ?? [];
    expect(actor).toBeGreaterThan(1e-3);
    expect(Math.max(...critics)).toBeLessThan(ROUNDING);
    expect(bare?.at(-1)?.[0]).toBeGreaterThan(1e-2);
  });

  it("stays within rounding if the policy's loss takes the other critic there, as in 32 bits", () => {
    expect(worst(forced ?? [])).toBeLessThan(ROUNDING);
  });
});
