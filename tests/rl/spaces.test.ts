import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../src/evolution/random.ts";
import {
  Agents,
  Box,
  Dict,
  Discrete,
  describeSpace,
  elementSize,
  flatSize,
  isComposite,
  MultiBinary,
  MultiDiscrete,
  type SimpleSpace,
  type SingleAgentSpace,
  type Space,
  type SpaceJson,
  spaceFromJson,
  spaceToJson,
  Tuple,
} from "../../src/rl/spaces.ts";

const f32 = fc.float({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 });
const box = fc
  .tuple(
    fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 2 }),
    fc.infiniteStream(fc.tuple(f32, f32, fc.nat(9))),
  )
  .map(([shape, stream]) => {
    const size = shape.reduce((a, b) => a * b, 1);
    const pairs = [...stream.take(size)];
    return new Box({
      low: pairs.map(([a, b, open]) => (open % 5 === 0 ? -Infinity : Math.min(a, b))),
      high: pairs.map(([a, b, open]) => (open > 6 ? Infinity : Math.max(a, b))),
      shape,
    });
  });
const simple: fc.Arbitrary<SimpleSpace> = fc.oneof(
  box,
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -5, max: 5 }))
    .map(([n, start]) => new Discrete(n, { start })),
  fc
    .array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 })
    .map((nvec) => new MultiDiscrete(nvec)),
  fc
    .array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 2 })
    .map((shape) => new MultiBinary(shape)),
);
const several = fc.array(simple, { minLength: 1, maxLength: 4 });
const single: fc.Arbitrary<SingleAgentSpace> = fc.oneof(
  simple,
  several.map((spaces) => new Tuple(spaces)),
  several.map((spaces) => new Dict(Object.fromEntries(spaces.map((s, i) => [`part_${i}`, s])))),
);
/** IDs in non-alphabetical order. */
const IDS = ["speaker_0", "Listener_0", "constructor", "a"];
const agents: fc.Arbitrary<Agents> = fc
  .array(single, { minLength: 1, maxLength: IDS.length })
  .map((spaces) => new Agents(Object.fromEntries(spaces.map((s, i) => [IDS[i] as string, s]))));
const space: fc.Arbitrary<Space> = fc.oneof(single, agents);

describe("every space", () => {
  it("contains its samples, which a seed repeats", () => {
    fc.assert(
      fc.property(space, fc.nat(), (s, seed) => {
        const draw = () => s.sample(new Random({ seed }));
        const value = draw();
        expect(s.contains(value)).toBe(true);
        expect(draw()).toEqual(value);
        expect(typeof value === "number" ? 1 : value.length).toBe(elementSize(s));
      }),
    );
  });

  it("comes back from JSON the same", () => {
    fc.assert(
      fc.property(space, (s) => {
        const back = spaceFromJson(JSON.parse(JSON.stringify(spaceToJson(s))) as SpaceJson);
        expect(back).toEqual(s);
      }),
    );
  });

  it("samples without a seed", () => {
    expect(new Discrete(2).contains(new Discrete(2).sample())).toBe(true);
    expect(new Box({ low: 0, high: 1 }).contains(new Box({ low: 0, high: 1 }).sample())).toBe(true);
  });
});

describe("flatSize", () => {
  it("is the width at a network's input", () => {
    expect(flatSize(new Box({ low: 0, high: 1, shape: [3, 2] }))).toBe(6);
    expect(flatSize(new Discrete(4))).toBe(4);
    expect(flatSize(new MultiDiscrete([3, 2]))).toBe(5);
    expect(flatSize(new MultiBinary([2, 2]))).toBe(4);
  });
});

describe("Box", () => {
  it("takes its shape from its bounds", () => {
    expect(new Box({ low: [0, 0], high: 1 }).shape).toEqual([2]);
    expect(new Box({ low: 0, high: [1, 1, 1] }).shape).toEqual([3]);
    expect(new Box({ low: 0, high: 1 }).shape).toEqual([1]);
    expect(new Box({ low: 0, high: 1, shape: [] }).shape).toEqual([]);
  });

  it("contains its bounds in f32 and f64, and nothing beyond, no NaN and no other length", () => {
    const unit = new Box({ low: -0.7, high: 0.7 });
    expect(unit.contains([0.7])).toBe(true);
    expect(unit.contains(Float32Array.of(-0.7))).toBe(true);
    for (const outside of [[0.70001], [Number.NaN], [0, 0], [], [Infinity]])
      expect(unit.contains(outside)).toBe(false);
    expect(unit.contains(0)).toBe(false);
  });

  it("of an integer type contains and samples whole numbers, both ends included", () => {
    const dice = new Box({ low: 1, high: 6, dtype: "int32" });
    expect([dice.contains([6]), dice.contains([2.5]), dice.contains([0])]).toEqual([true, false, false]);
    const random = new Random({ seed: 1 });
    const seen = new Set(Array.from({ length: 200 }, () => dice.sample(random)[0]));
    expect(seen).toEqual(new Set([1, 2, 3, 4, 5, 6]));
  });

  it("samples uniformly, exponentially or normally, as its bounds allow", () => {
    const mean = (low: number, high: number): number => {
      const s = new Box({ low, high });
      const random = new Random({ seed: 2 });
      let sum = 0;
      for (let i = 0; i < 2000; i++) sum += s.sample(random)[0] as number;
      return sum / 2000;
    };
    expect(mean(2, 4)).toBeCloseTo(3, 1);
    expect(Math.abs(mean(5, Infinity) - 6)).toBeLessThan(0.1);
    expect(Math.abs(mean(-Infinity, 5) - 4)).toBeLessThan(0.1);
    expect(Math.abs(mean(-Infinity, Infinity))).toBeLessThan(0.1);
  });

  it.each([
    [{ low: 1, high: 0 }, "Box.low[0]: found 1, allowed at most high (0)"],
    [{ low: Number.NaN, high: 0 }, "Box.low[0]: found NaN, allowed numbers of type float32"],
    [{ low: [0, 0], high: [1] }, "Box.high: found 1 bounds, allowed one number or 2 of them"],
    [{ low: 0, high: 1, shape: [0] }, "Box.shape[0]: found 0, allowed positive integers"],
    [{ low: 0, high: 300, dtype: "uint8" as const }, "Box.high[0]: found 300, allowed numbers of type uint8"],
  ])("refuses %j", (options, message) => {
    expect(() => new Box(options)).toThrow(message);
  });
});

describe("Discrete", () => {
  it("contains start to start + n - 1", () => {
    const s = new Discrete(3, { start: -1 });
    expect([-2, -1, 1, 2, 0.5, Number.NaN].map((x) => s.contains(x))).toEqual([
      false,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(s.contains([0])).toBe(false);
  });

  it.each([0, -1, 1.5, Number.NaN])("refuses n = %s", (n) => {
    expect(() => new Discrete(n)).toThrow(`Discrete.n: found ${n}, allowed positive integers`);
  });
});

describe("MultiDiscrete and MultiBinary", () => {
  it("contain what their entries allow", () => {
    const multi = new MultiDiscrete([3, 2]);
    expect([[2, 1], [3, 0], [0, -1], [0], [0.5, 0]].map((x) => multi.contains(x))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
    const binary = new MultiBinary(2);
    expect([[0, 1], [2, 0], [0], [0.5, 1]].map((x) => binary.contains(x))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("refuse empty and non-positive sizes", () => {
    expect(() => new MultiDiscrete([])).toThrow("MultiDiscrete.nvec: found no entry");
    expect(() => new MultiDiscrete([2, 0])).toThrow("MultiDiscrete.nvec[1]: found 0");
    expect(() => new MultiBinary(0)).toThrow("MultiBinary.n[0]: found 0");
  });
});

describe("spaceFromJson", () => {
  it("refuses an unknown kind", () => {
    const json = { kind: "Text" } as unknown as SpaceJson; // a kind that an older or newer file may contain
    expect(() => spaceFromJson(json)).toThrow(
      'space.kind: found "Text", allowed Box, Discrete, MultiDiscrete, MultiBinary, Tuple, Dict',
    );
  });
});

describe("describeSpace", () => {
  it("says what an element looks like", () => {
    expect(describeSpace(new MultiDiscrete([3, 2]))).toBe(
      "2 integers, each at least 0 and below its entry in [3, 2] (MultiDiscrete)",
    );
    expect(describeSpace(new MultiBinary(4))).toBe("4 zeros or ones (MultiBinary)");
  });
});

describe("spaces of several parts", () => {
  const dict = new Dict({
    camera: new Box({ low: 0, high: 255, shape: [2, 2], dtype: "uint8" }),
    gear: new Discrete(3, { start: -1 }),
  });

  it("writes an element as the numbers of its parts in order", () => {
    expect(dict.shape).toEqual([5]);
    expect([...dict.join({ gear: -1, camera: [9, 8, 7, 6] })]).toEqual([9, 8, 7, 6, -1]);
    expect([...new Tuple([new Discrete(5), new MultiDiscrete([2, 3])]).join([4, [1, 2]])]).toEqual([4, 1, 2]);
    expect(flatSize(dict)).toBe(4 + 3);
  });

  it("refuses what does not fit a part", () => {
    expect(dict.contains([9, 8, 7, 6, 1])).toBe(true);
    expect(dict.contains([9, 8, 7, 6, 2])).toBe(false);
    expect(dict.contains([256, 8, 7, 6, 0])).toBe(false);
    expect(dict.contains([9, 8, 7, 6])).toBe(false);
    expect(() => dict.join({ camera: [1, 2, 3, 4] })).toThrow("element.gear: found 0 numbers, allowed 1");
    expect(() => new Tuple([])).toThrow("Tuple: found no space, allowed one or more");
    // Input of a caller without type checks.
    expect(() => new Tuple([dict as unknown as SimpleSpace])).toThrow(
      /Tuple.0: found Dict, allowed .*one level/,
    );
  });
});

describe("spaces of several agents", () => {
  const team = new Agents({
    speaker_0: new Discrete(3, { start: 1 }),
    listener_0: new Dict({ at: new Box({ low: -1, high: 1, shape: [2] }), heard: new Discrete(3) }),
  });

  it("split what they join, and join what they split", () => {
    fc.assert(
      fc.property(agents, fc.nat(), (s, seed) => {
        const random = new Random({ seed });
        const element = s.sample(random);
        const values = s.split(element);
        expect(Object.keys(values)).toEqual(s.ids);
        expect(s.join(values)).toEqual(element);
        const own = s.agents.map(({ id, space: of }) => [id, of.sample(random)] as const);
        const joined = s.join(Object.fromEntries(own));
        for (const [id, value] of own) {
          const numbers = typeof value === "number" ? [value] : [...Array.from(value)];
          expect(
            [s.split(joined)[id]].flatMap((x) => (typeof x === "number" ? [x] : [...(x ?? [])])),
          ).toEqual(numbers.map(Math.fround));
        }
      }),
    );
  });

  it("lay out agents one after another, and their parts by name", () => {
    fc.assert(
      fc.property(agents, (s) => {
        let at = 0;
        for (const { space: of, start, size } of s.agents) {
          expect([start, size]).toEqual([at, elementSize(of)]);
          at += size;
        }
        expect(elementSize(s)).toBe(at);
        expect(flatSize(s)).toBe(s.agents.reduce((sum, part) => sum + flatSize(part.space), 0));
      }),
    );
    expect(isComposite(team)).toBe(true);
    expect(team.parts.map(({ key, start, size }) => [key, start, size])).toEqual([
      ["speaker_0", 0, 1],
      ["listener_0.at", 1, 2],
      ["listener_0.heard", 3, 1],
    ]);
    expect(describeSpace(team)).toBe(
      "Agents of speaker_0: an integer from 1 to 3 (Discrete); listener_0.at: 2 finite numbers (Box of shape [2]); listener_0.heard: an integer from 0 to 2 (Discrete)",
    );
    expect(team.split([2, 0.5, -0.5, 1])).toEqual({
      speaker_0: 2,
      listener_0: Float32Array.of(0.5, -0.5, 1),
    });
  });

  it("contain what each agent's space contains", () => {
    expect(team.contains([1, 0, 0, 0])).toBe(true);
    for (const wrong of [[0, 0, 0, 0], [1, 2, 0, 0], [1, 0, 0, 3], [1, 0, 0], 1])
      expect(team.contains(wrong)).toBe(false);
  });

  it("refuse what does not fit an agent", () => {
    expect(() => team.join({ speaker_0: 2 })).toThrow(
      "element.listener_0: found nothing, allowed a value for each of speaker_0, listener_0",
    );
    expect(() => team.join({ speaker_0: 2, listener_0: [1, 2] })).toThrow(
      "element.listener_0: found 2 numbers, allowed 3",
    );
    expect(() => team.join({ speaker_0: 2, listener_0: [0, 0, 0], ghost: 1 })).toThrow(
      "element.ghost: found no such agent, allowed speaker_0, listener_0",
    );
    expect(() => new Agents({})).toThrow("Agents: found no space, allowed one or more");
    for (const id of ["0", "_a", "a-b", "a.b", "", "á"])
      expect(() => new Agents({ [id]: new Discrete(2) })).toThrow(
        `Agents: found the agent id ${JSON.stringify(id)}, allowed letters, digits and _, starting with a letter`,
      );
    // Input of a caller without type checks.
    expect(() => new Agents({ a: team as unknown as SingleAgentSpace })).toThrow(
      "Agents.a: found Agents, allowed the space of one agent",
    );
  });

  it("are refused from JSON as when they are made", () => {
    const json = { kind: "Agents", spaces: { "no name": { kind: "Discrete", n: 2, start: 0 } } } as const;
    expect(() => spaceFromJson(json)).toThrow('Agents: found the agent id "no name"');
    const inner = { kind: "Agents", spaces: { a: spaceToJson(team) } } as unknown as SpaceJson; // a damaged file
    expect(() => spaceFromJson(inner)).toThrow('space.kind: found "Agents", allowed Box, Discrete');
  });
});
