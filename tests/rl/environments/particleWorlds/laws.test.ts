/** Invariants of particle worlds under any actions. */
import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/evolution/random.ts";
import { WasmDevice } from "../../../../src/kernels/devices.ts";
import { findCompiledEnvironment } from "../../../../src/rl/environments.ts";
import { type Published, publishedWorlds, rowOf, type World, worldOf } from "./publishedWorlds.ts";
import { type Rows, randomAction, randomRow, stepper } from "./worldRuns.ts";

const rulesOf = (id: string, options?: Record<string, number>): Published => {
  const rules = publishedWorlds[id];
  if (!rules) throw new RangeError(id);
  return rules(options);
};

async function stepped(id: string, options: Record<string, number>, rows: Rows, actions: Rows) {
  const device = new WasmDevice();
  const run = await stepper(device, findCompiledEnvironment(id, options), rows.length);
  const seen = await run.step(rows, actions);
  device.close();
  return seen;
}

const WAIT = 0;

describe("contacts", () => {
  it("keep the momentum of a free pair to the bit, and drive it apart", async () => {
    const rules = rulesOf("simple_push_v3");
    const random = new Random({ seed: 4 });
    const rows = Array.from({ length: 200 }, () => {
      const [x, y, angle, gap] = [0, 0, 6.28, 0.1].map((range) => range * random.uniform());
      const apart = [(gap ?? 0) * Math.cos(angle ?? 0), (gap ?? 0) * Math.sin(angle ?? 0)] as const;
      const at = (sign: number) => [(x ?? 0) + sign * apart[0], (y ?? 0) + sign * apart[1]] as const;
      return rowOf({
        agents: [0.5, -0.5].map((sign) => ({ place: at(sign), velocity: [0, 0], said: [] })),
        landmarks: [
          [2, 2],
          [3, 3],
        ],
        goals: [0],
      });
    });
    const seen = await stepped(
      "simple_push_v3",
      {},
      rows,
      rows.map(() => [WAIT, WAIT]),
    );
    const worlds = seen.rows.map((row) => worldOf(rules, row));
    for (const { agents } of worlds) {
      const sum = (axis: 0 | 1): number => agents.reduce((total, { velocity }) => total + velocity[axis], 0);
      expect([sum(0), sum(1)]).toEqual([0, 0]);
      for (const { velocity } of agents) expect(Math.hypot(...velocity)).toBeGreaterThan(0);
    }
  });

  it("push bodies in one place nowhere", async () => {
    const rules = rulesOf("simple_tag_v3");
    const row = rowOf({
      agents: rules.words.map(() => ({ place: [0.5, -0.5], velocity: [0, 0], said: [] })),
      landmarks: [
        [0.5, -0.5],
        [0.5, -0.5],
      ],
      goals: [],
    });
    const { rows, observations } = await stepped("simple_tag_v3", {}, [row], [[WAIT, WAIT, WAIT, WAIT]]);
    expect(rows[0]).toEqual(row);
    expect(observations.flat().every(Number.isFinite)).toBe(true);
  });

  it("leave those alone who are far from each other, as far as they may be", async () => {
    const row = rowOf({
      agents: [-1e6, 1e6].map((x) => ({ place: [x, 0], velocity: [0, 0], said: [] })),
      landmarks: [
        [0, 0],
        [0, 0],
      ],
      goals: [1],
    });
    const { rows } = await stepped("simple_push_v3", {}, [row], [[WAIT, WAIT]]);
    expect(rows[0]).toEqual(row);
  });
});

/** The list in the given order. */
const ordered = <T>(list: readonly T[], order: readonly number[]): T[] => order.map((i) => list[i] as T);

describe("the order of agents", () => {
  it.each([
    ["simple_spread_v3", { N: 4 }, [2, 0, 3, 1]],
    ["simple_tag_v3", { num_adversaries: 3, num_good: 2 }, [2, 0, 1, 4, 3]],
    ["simple_adversary_v3", { N: 3 }, [0, 3, 1, 2]],
  ] as const)("means nothing in %s", async (id, options, order) => {
    const rules = rulesOf(id, { ...options });
    const env = findCompiledEnvironment(id, options);
    const random = new Random({ seed: 9 });
    const rows = Array.from({ length: 50 }, () => randomRow(rules, random));
    const actions = rows.map(() => randomAction(env, random));
    const permute = (row: readonly number[]): number[] => {
      const world: World = worldOf(rules, row);
      return rowOf({ ...world, agents: ordered(world.agents, order) });
    };
    const plain = await stepped(id, { ...options }, rows, actions);
    const other = await stepped(
      id,
      { ...options },
      rows.map(permute),
      actions.map((action) => ordered(action, order)),
    );
    const off = (a: Rows, b: Rows): number =>
      Math.max(...a.flat().map((x, i) => Math.abs(x - (b.flat()[i] as number))));
    expect(off(plain.rows.map(permute), other.rows)).toBeLessThan(1e-5);
    expect(
      off(
        plain.rewards.map((reward) => ordered(reward, order)),
        other.rewards,
      ),
    ).toBeLessThan(1e-5);
  });
});

describe("words", () => {
  it("are heard after the step in which they were said", async () => {
    const rules = rulesOf("simple_speaker_listener_v4");
    const row = randomRow(rules, new Random({ seed: 2 }));
    const said = async (word: number) => {
      const { observations } = await stepped("simple_speaker_listener_v4", {}, [row], [[word, WAIT]]);
      return observations[0]?.slice(-3);
    };
    expect([await said(0), await said(1), await said(2)]).toEqual([
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]);
  });
});
