/** Particle worlds against their equations in f64, on every device. */
import { describe, expect, it } from "vitest";
import { stateSize } from "../../../../src/agents/index.ts";
import { Random } from "../../../../src/evolution/random.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import type { Device } from "../../../../src/kernels/index.ts";
import { findCompiledEnvironment } from "../../../../src/rl/environments.ts";
import { devices } from "../../../kernels/support/devices.ts";
import { deeds, type Published, publishedWorlds, rowOf, step, worldOf } from "./publishedWorlds.ts";
import { type Rows, randomAction, randomRow, type Seen, stepper } from "./worldRuns.ts";

const LANES = 100;
/** Tolerances for f32 rounding after 1 and after 25 steps. Contact forces set in over a distance of 0.001. */
const [CLOSE, DRIFT] = [2e-5, 2e-4];

/** Largest difference, relative beyond 1; NaN if the lengths differ. */
function farthest(expected: Rows, found: Rows): number {
  const [a, b] = [expected.flat(), found.flat()];
  if (a.length !== b.length) return Number.NaN;
  return Math.max(...a.map((x, i) => Math.abs(x - (b[i] as number)) / Math.max(1, Math.abs(x))));
}

/** Results of the equations. */
function expected(rules: Published, rows: Rows, actions: Rows, continuous: boolean): Seen {
  const next = rows.map((row, lane) =>
    step(rules, worldOf(rules, row), deeds(rules, actions[lane] as readonly number[], continuous)),
  );
  return {
    rows: next.map(rowOf),
    observations: next.map((world) => rules.observe(world).flat()),
    rewards: next.map(rules.reward),
    ended: false,
  };
}

interface Case {
  readonly id: string;
  readonly options: Readonly<Record<string, number | boolean>>;
}

const ids = Object.keys(publishedWorlds);
const plain = ids.map((id): Case => ({ id, options: {} }));
const others: Case[] = [
  ...ids.map((id) => ({ id, options: { continuous_actions: true } })),
  { id: "simple_spread_v3", options: { N: 1 } },
  { id: "simple_spread_v3", options: { N: 5, local_ratio: 0.2 } },
  { id: "simple_adversary_v3", options: { N: 1 } },
  { id: "simple_adversary_v3", options: { N: 4 } },
  { id: "simple_reference_v3", options: { local_ratio: 0.9 } },
  { id: "simple_tag_v3", options: { num_good: 3, num_adversaries: 2, num_obstacles: 0 } },
  {
    id: "simple_tag_v3",
    options: { num_good: 2, num_adversaries: 1, num_obstacles: 3, continuous_actions: true },
  },
];

const worldOfCase = ({ id, options }: Case) => {
  const { continuous_actions = false, ...numbers } = options;
  const rules = publishedWorlds[id];
  if (!rules) throw new RangeError(id);
  return {
    env: findCompiledEnvironment(id, options),
    rules: rules(numbers as Record<string, number>),
    continuous: continuous_actions === true,
  };
};

/** Largest deviation from the equations after one step from random states. */
async function farOff(device: Device, { env, rules, continuous }: ReturnType<typeof worldOfCase>) {
  const random = new Random({ seed: 3, stream: env.id });
  const rows = Array.from({ length: LANES }, () => randomRow(rules, random));
  const actions = rows.map(() => randomAction(env, random));
  const run = await stepper(device, env, LANES);
  const found = await run.step(rows, actions);
  run.release();
  const wanted = expected(rules, rows, actions, continuous);
  const parts = ["rows", "observations", "rewards"] as const;
  return {
    farthest: Math.max(...parts.map((part) => farthest(wanted[part], found[part]))),
    ended: found.ended,
  };
}

describe.each(plain)("$id", (world) => {
  const own = worldOfCase(world);
  const { env, rules, continuous } = own;

  it("has its agents, in their order, with the widths of its observations", () => {
    const { observation_space, action_space } = env;
    if (observation_space.kind !== "Agents" || action_space.kind !== "Agents") throw new TypeError(env.id);
    expect(observation_space.ids).toEqual(rules.ids);
    expect(action_space.ids).toEqual(rules.ids);
    const row = randomRow(rules, new Random({ seed: 1 }));
    expect(stateSize(env)).toBe(row.length);
    const seen = rules.observe(worldOf(rules, row));
    expect(observation_space.agents.map(({ size }) => size)).toEqual(seen.map((row) => row.length));
    expect(env.max_episode_steps).toBe(25);
  });

  it.each(devices)("steps by its equations on $name", async ({ create }) => {
    const device = await create();
    const found = await farOff(device, own);
    device.close();
    expect(found.ended).toBe(false);
    expect(found.farthest).toBeLessThan(CLOSE);
  });

  it("follows them for 25 steps", async () => {
    const random = new Random({ seed: 8, stream: env.id });
    const lanes = 40;
    const run = await stepper(new WasmDevice(), env, lanes);
    let rows: Rows = Array.from({ length: lanes }, () => randomRow(rules, random));
    let wanted: Rows = rows;
    for (let t = 0; t < 25; t++) {
      const actions = rows.map(() => randomAction(env, random));
      const found = await run.step(rows, actions);
      const exact = expected(rules, wanted, actions, continuous);
      [rows, wanted] = [found.rows, exact.rows];
      expect(farthest(wanted, rows)).toBeLessThan(DRIFT);
      expect(farthest(exact.rewards, found.rewards)).toBeLessThan(DRIFT);
    }
    run.release();
  });
});

describe.each(others)("$id with $options", (world) => {
  it("steps by its equations", async () => {
    const device = new WasmDevice();
    const { farthest: far } = await farOff(device, worldOfCase(world));
    device.close();
    expect(far).toBeLessThan(CLOSE);
  });
});
