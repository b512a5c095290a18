/** Episodes that go on in a later turn, in the same lanes or others. */
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { loadEnvironment, make, stackFrames } from "../../../../src/rl/environments.ts";
import {
  type HostEnvironment,
  lastingLanes,
  type ParallelEnvironment,
  type PlacedLanes,
  packed,
  SyncVectorEnvironment,
  unpacked,
  type VectorEnvironment,
} from "../../../../src/rl/faces.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";

afterEach(() => void vi.restoreAllMocks());

/** Sums its actions and numbers that the seed determines, for 30 steps. */
class Sum implements HostEnvironment {
  readonly observation_space = new Box({ low: -Infinity, high: Infinity, shape: [2] });
  readonly action_space = new Discrete(3);
  readonly spec = { id: "Sum", max_episode_steps: 30 };
  word = 1;
  sum = 0;
  steps = 0;

  reset({ seed }: { seed?: number } = {}) {
    if (seed !== undefined) this.word = seed;
    this.sum = 0;
    this.steps = 0;
    return this.#seen();
  }

  step(action: unknown) {
    this.word = (Math.imul(this.word, 1664525) + 1013904223) >>> 0;
    this.sum += Number(action) + this.word / 2 ** 32;
    const truncated = ++this.steps >= 30;
    return { ...this.#seen(), reward: this.sum, terminated: false, truncated };
  }

  #seen() {
    return { observation: [this.sum, this.steps], info: { action_mask: [1, 1, this.steps % 2] } };
  }
}

class Saving extends Sum {
  save(): unknown {
    return {
      word: this.word,
      at: Float64Array.of(this.sum),
      steps: this.steps,
      none: [null, -0, Number.NaN],
    };
  }

  load(state: unknown): void {
    const { word, at, steps } = state as { word: number; at: Float64Array; steps: number };
    Object.assign(this, { word, sum: at[0], steps });
  }
}

/** Two of them, of which one leaves after ten steps. */
class Pair implements ParallelEnvironment {
  readonly possible_agents = ["a", "b"];
  agents: readonly string[] = [];
  readonly own: Saving[] = [new Saving(), new Saving()];
  readonly observation_spaces = { a: new Sum().observation_space, b: new Sum().observation_space };
  readonly action_spaces = { a: new Discrete(3), b: new Discrete(3) };

  reset({ seed }: { seed?: number } = {}) {
    this.agents = this.possible_agents;
    const each = this.own.map((own, i) => own.reset(seed === undefined ? {} : { seed: seed + i }));
    return this.#by({ observations: each.map((own) => own.observation), infos: each.map((own) => own.info) });
  }

  step(actions: Readonly<Record<string, unknown>>) {
    const each = this.agents.map((id) => (this.own[id === "a" ? 0 : 1] as Saving).step(actions[id]));
    const result = this.#by({
      observations: each.map((own) => own.observation),
      infos: each.map((own) => own.info),
      rewards: each.map((own) => own.reward),
      terminations: this.agents.map((id) => id === "b" && this.own[1]?.steps === 10),
      truncations: each.map((own) => own.truncated),
    });
    if (this.own[1]?.steps === 10) this.agents = ["a"];
    return result;
  }

  #by<Fields extends Readonly<Record<string, readonly unknown[]>>>(fields: Fields) {
    const byAgent = (values: readonly unknown[]) =>
      Object.fromEntries(this.agents.map((id, i) => [id, values[i]]));
    return Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, byAgent(values)])) as {
      [Name in keyof Fields]: Readonly<Record<string, Fields[Name][number]>>;
    };
  }
}

class SavingPair extends Pair {
  save(): unknown {
    return { agents: this.agents, each: this.own.map((own) => own.save()) };
  }

  load(state: unknown): void {
    const { agents, each } = state as { agents: string[]; each: unknown[] };
    this.agents = agents;
    for (const [i, own] of this.own.entries()) own.load(each[i]);
  }
}

const vector = (create: () => HostEnvironment | ParallelEnvironment) => () =>
  new SyncVectorEnvironment([create, create]);

await loadEnvironment("LunarLander-v3");

const KINDS: Readonly<Record<string, () => VectorEnvironment>> = {
  "a repeated environment": vector(() => new Sum()),
  "a saved environment": vector(() => new Saving()),
  "a repeated team": vector(() => new Pair()),
  "a saved team": vector(() => new SavingPair()),
  "stacks of a saved team": vector(() => stackFrames(new SavingPair(), 3)),
  "stacks of a repeated environment": vector(() => stackFrames(new Sum(), 3)),
  "stacks of a saved environment": vector(() => stackFrames(new Saving(), 3)),
  "stacks of lanes": () => stackFrames(vector(() => new Sum())(), 3),
  LunarLander: vector(() => make("LunarLander-v3")),
};

/** All that a caller gets of steps with the actions that their numbers determine, until an episode ends. */
function played(env: VectorEnvironment, from: number, to: number) {
  const seen: object[] = [];
  const size = env.single_action_space.kind === "Agents" ? 4 : 2;
  for (let step = from; step < to; step++)
    seen.push(env.step(Int32Array.from({ length: size }, (_, i) => (3 * step + i * i) % 3)));
  return seen;
}

const carried = (value: unknown) => (unpacked(packed([value])) as unknown[])[0];
const begin = (env: VectorEnvironment, seed: number, places: unknown, observation: Float32Array | null) => {
  const lanes = lastingLanes(env);
  if (!lanes) throw new Error("found lanes that begin anew");
  return lanes.goOn(seed, places, observation) as PlacedLanes;
};

describe.each(Object.entries(KINDS))("%s", (_name, create) => {
  it("goes on as if it had never been left, in other lanes", () => {
    const whole = create();
    begin(whole, 5, null, null);
    const expected = played(whole, 0, 29);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 28 }), fc.integer({ min: 0, max: 12 }), (cut, between) => {
        const [env, other] = [create(), create()];
        begin(env, 5, null, null);
        const before = played(env, 0, cut);
        const places = carried(lastingLanes(env)?.places());
        other.reset({ seed: 9 });
        played(other, 0, between);
        const { observation } = before.at(-1) as { observation: Float32Array };
        const { begun } = begin(other, 6, places, observation);
        expect([...begun]).toEqual([0, 0]);
        expect([...before, ...played(other, cut, 29)]).toEqual(expected);
      }),
      { numRuns: 15 },
    );
  });
});

describe("an episode", () => {
  it("has a seed of its own, which its turn determines", () => {
    const firsts = (turn: number) => {
      const env = vector(() => new Sum())();
      begin(env, turn, null, null);
      const seen = played(env, 0, 65) as { observation: Float32Array }[];
      return [1, 31, 61].map((step) => seen[step]?.observation[0]);
    };
    expect(firsts(5)).toEqual(firsts(5));
    expect(new Set([...firsts(5), ...firsts(6)]).size).toBe(6);
  });

  it("begins anew with a warning where the same actions lead elsewhere", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    class Chance extends Sum {
      override readonly spec = { id: "Chance", max_episode_steps: 30 };
      override reset() {
        return super.reset({ seed: Math.floor(Math.random() * 2 ** 31) });
      }
    }
    const env = vector(() => new Chance())();
    begin(env, 5, null, null);
    const { observation } = played(env, 0, 5).at(-1) as { observation: Float32Array };
    const places = lastingLanes(env)?.places();
    expect([...begin(vector(() => new Chance())(), 6, places, observation).begun]).toEqual([1, 1]);
    // These still stand there.
    expect([...begin(env, 6, places, observation).begun]).toEqual([0, 0]);
    expect(warn.mock.calls).toEqual([
      [
        "rlkit: Chance: the same seed and actions lead elsewhere, so that episodes cannot go on in another generation; give the environment save() and load(state)",
      ],
    ]);
  });

  it("begins anew with a warning where it has more actions than are kept", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    class Wide extends Sum {
      override readonly spec = { id: "Wide", max_episode_steps: 30 };
      override readonly action_space = new Box({ low: 0, high: 1, shape: [10_000] }) as never;
      override step() {
        return super.step(0);
      }
    }
    const env = vector(() => new Wide())();
    begin(env, 5, null, null);
    for (let i = 0; i < 13; i++) env.step(new Float32Array(20_000));
    expect(lastingLanes(env)?.places()).toMatchObject([{ seed: 5 }, { seed: 6 }]);
    env.step(new Float32Array(20_000));
    expect(lastingLanes(env)?.places()).toEqual([null, null]);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toMatch(
      /^rlkit: Wide: an episode has more than 131072 numbers of actions/,
    );
  });
});

describe("a fault of save and load names environment, call and lane, and what is allowed", () => {
  const PLAIN =
    "allowed plain data: numbers, text, booleans, null, lists, plain objects and typed arrays, at most 4 MB";
  const self: unknown[] = [];
  self.push(self);
  it.each([
    ["throws", () => JSON.parse("{"), /threw SyntaxError: /],
    ["returns nothing", () => undefined, `the state: found undefined, ${PLAIN}`],
    ["returns a function", () => ({ a: [0, () => 1] }), `the state.a[1]: found a function, ${PLAIN}`],
    ["returns an object of a class", () => ({ a: new Map() }), `the state.a: found a Map, ${PLAIN}`],
    ["is asynchronous", async () => 1, `the state: found a Promise, ${PLAIN}`],
    ["returns a list in itself", () => self, `the state: found more than 100 levels, ${PLAIN}`],
    ["returns a large array", () => new Float64Array(500_001), `the state: found more than 4 MB, ${PLAIN}`],
    ["returns much text", () => ["x".repeat(2_000_001)], `the state: found more than 4 MB, ${PLAIN}`],
    [
      "takes a packet's name",
      () => ({ $array: 1 }),
      `the state: found the key $array, which is reserved, ${PLAIN}`,
    ],
  ])("save() that %s", (_what, save, message) => {
    class Own extends Saving {
      override save = save;
    }
    const env = vector(() => new Own())();
    begin(env, 5, null, null);
    played(env, 0, 3);
    const text = typeof message === "string" ? message : message.source;
    const place = "Sum: env\\.save\\(\\) of lane 0, after step 3: ";
    const pattern = typeof message === "string" ? text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") : text;
    expect(() => lastingLanes(env)?.places()).toThrow(new RegExp(`^${place}${pattern}`));
  });

  it.each([
    [
      "throws",
      () => {
        throw new RangeError("old");
      },
      "Sum: env.load() of lane 0: threw RangeError: old; allowed: it takes every state that save() gives",
    ],
    [
      "is asynchronous",
      async () => undefined,
      "Sum: env.load() of lane 0: found a promise, allowed nothing: it must not be async",
    ],
  ])("load() that %s", (_what, load, message) => {
    class Own extends Saving {
      override load = load as never;
    }
    const [env, other] = [vector(() => new Own())(), vector(() => new Own())()];
    begin(env, 5, null, null);
    played(env, 0, 3);
    expect(() => begin(other, 6, lastingLanes(env)?.places(), null)).toThrow(message);
  });

  it("an observation of another shape after load()", () => {
    class Own extends Saving {
      override load(state: unknown): void {
        super.load(state);
        const step = this.step.bind(this);
        this.step = (action) => ({ ...step(action), observation: [1, 2, 3] });
      }
    }
    const env = vector(() => new Own())();
    begin(env, 5, null, null);
    played(env, 0, 3);
    begin(env, 6, lastingLanes(env)?.places(), null);
    expect(() => played(env, 3, 4)).toThrow(
      /^Sum: env\.step\(\) of lane 0, step 4: observation: found .*3 numbers.*, allowed/,
    );
  });

  it("one of both", () => {
    class Own extends Sum {
      save = () => 1;
    }
    expect(vector(() => new Own())).toThrow(
      "environments[0]: found function save and undefined load, allowed functions, or neither of both",
    );
  });
});
