/** Drawing of particle worlds. */
import { describe, expect, it } from "vitest";
import { Random } from "../../../../src/evolution/random.ts";
import { drawEnvironment, findEnvironment } from "../../../../src/rl/environments.ts";
import { type Call, recorder, size, theme } from "../../support/drawingRecorder.ts";
import { publishedWorlds, rowOf, worldOf } from "./publishedWorlds.ts";
import { randomRow } from "./worldRuns.ts";

const worlds = Object.entries(publishedWorlds).map(([id, rules]) => ({ id, rules: rules() }));

function drawn(id: string, row: readonly number[], options = {}): Call[] {
  const { context, calls } = recorder();
  drawEnvironment(id, options)?.(context, row, null, size, theme);
  return calls;
}

/** Circles and arcs: [x, y, radius, from, to]. */
const arcs = (calls: readonly Call[]): number[][] =>
  calls.filter(({ name }) => name === "arc").map(({ args }) => args as number[]);
const alphas = (calls: readonly Call[]): unknown[] =>
  calls.filter(({ name }) => name === "globalAlpha").map(({ args }) => args[0]);
const HUES = ["#d55e00", "#009e73", "#56b4e9"];

describe.each(worlds)("drawing of $id", ({ id, rules }) => {
  const row = randomRow(rules, new Random({ seed: 6, stream: id }));

  it("has every agent and landmark where it is", () => {
    const { agents, landmarks } = worldOf(rules, row);
    const circles = arcs(drawn(id, row));
    for (const [i, { place }] of agents.entries())
      expect(circles).toContainEqual([...place, rules.sizes[i], 0, 2 * Math.PI]);
    for (const [x, y] of landmarks)
      expect(
        circles.some(([cx, cy, , from, to]) => cx === x && cy === y && from === 0 && to === 2 * Math.PI),
      ).toBe(true);
  });

  it("uses the theme's colours and three that are plain on any, and leaves the context as it was", () => {
    const calls = drawn(id, row);
    const used = calls
      .filter(({ name }) => name === "fillStyle" || name === "strokeStyle")
      .map(({ args }) => args[0]);
    for (const colour of used) expect([...Object.values(theme), ...HUES]).toContain(colour);
    const depth =
      calls.filter(({ name }) => name === "save").length -
      calls.filter(({ name }) => name === "restore").length;
    expect(depth).toBe(0);
    expect([calls[0]?.name, calls.at(-1)?.name]).toEqual(["save", "restore"]);
    expect(alphas(calls).at(-1) ?? 1).toBe(1);
  });

  it("follows all of the state that people see, and is finite", () => {
    const seen = new Set<string>();
    const changed = row.map((_, i) =>
      row.map((x, j) => (i === j ? (Number.isInteger(x) ? (x + 1) % 2 : x * 0.5) : x)),
    );
    for (const state of [row, ...changed]) {
      const calls = drawn(id, state);
      const numbers = calls.flatMap(({ args }) => args).filter((arg) => typeof arg === "number");
      expect(numbers.every(Number.isFinite)).toBe(true);
      seen.add(JSON.stringify(calls));
    }
    expect(seen.size).toBeGreaterThan(rules.ids.length * 2);
  });

  it("keeps agents that ran away in the picture", () => {
    const { agents, landmarks, goals } = worldOf(rules, row);
    const away = agents.map((agent, i) =>
      i === agents.length - 1 ? { ...agent, place: [9, -4] as const } : agent,
    );
    const calls = drawn(id, rowOf({ agents: away, landmarks, goals }));
    const scale = calls.filter(({ name }) => name === "scale").map(({ args }) => args[0] as number);
    const zoom = scale.reduce((product, factor) => product * factor, 1);
    expect(9 * zoom).toBeLessThan(size.width / 2);
    expect(4 * zoom).toBeLessThan(size.height / 2);
    expect(9 * zoom).toBeGreaterThan(size.height / 4);
  });

  it("has a glyph, and ten steps a second", () => {
    const { glyph, frame_rate } = findEnvironment(id);
    expect(glyph?.length).toBeGreaterThan(2);
    expect(frame_rate).toBe(10);
  });
});

describe("what is said", () => {
  const rules = publishedWorlds.simple_speaker_listener_v4?.();
  if (!rules) throw new RangeError("simple_speaker_listener_v4");
  const world = worldOf(rules, randomRow(rules, new Random({ seed: 1 })));
  const said = (words: readonly number[]): Call[] => {
    const [speaker, ...others] = world.agents;
    if (!speaker) throw new RangeError("speaker_0");
    return drawn(
      "simple_speaker_listener_v4",
      rowOf({ ...world, agents: [{ ...speaker, said: words }, ...others] }),
    );
  };

  it("is a sector of a dial that stands out", () => {
    const strengths = (words: readonly number[]) =>
      alphas(said(words))
        .filter((alpha) => alpha !== 0.5)
        .slice(1, 4);
    expect(strengths([0, 0, 0])).toEqual([0.15, 0.15, 0.15]);
    expect(strengths([0, 1, 0])).toEqual([0.15, 1, 0.15]);
    expect(strengths([7, -3, 1])).toEqual([1, 0.15, 1]);
  });

  it("has a sector for each word, one after another", () => {
    const sectors = arcs(said([1, 0, 0])).filter(([, , , from, to]) => to !== 2 * Math.PI && from !== 0);
    expect(sectors).toHaveLength(3);
    const starts = sectors.map(([, , , from]) => from as number);
    expect((starts[0] ?? 0) - (starts[1] ?? 0)).toBeCloseTo((2 * Math.PI) / 3);
  });
});

describe("the worlds' options", () => {
  it("change who is drawn", () => {
    const count = (options: Record<string, number>): number => {
      const rules = publishedWorlds.simple_tag_v3?.(options);
      if (!rules) throw new RangeError("simple_tag_v3");
      const row = randomRow(rules, new Random({ seed: 3 }));
      return drawn("simple_tag_v3", row, options).filter(({ name }) => name === "fill").length;
    };
    expect(count({})).toBe(6);
    expect(count({ num_good: 2, num_adversaries: 5, num_obstacles: 0 })).toBe(7);
  });
});
