/** A stage with a canvas and a clock that the test holds. */
// @apart: it registers what the library does not have.
import { describe, expect, it } from "vitest";
import { CartPole, registerEnvironment } from "../../src/agents/index.ts";
import { listEnvironments } from "../../src/rl/environments.ts";
import { packPolicy } from "../../src/stage/packedPolicy.ts";
import type { Cast, CastMember } from "../../src/stage/stageProtocol.ts";
import { decodeKeptAgent } from "../../src/training/files.ts";
import { agentFile } from "../ui/support/stageAgents.ts";
import { STEP, stageOf } from "./inside/support/stageOf.ts";

const { draw: _draw, ...unseen } = CartPole;
registerEnvironment({ ...unseen, id: "test/Unseen-v0" });

/** Environments that agents are made for; others get agents of CartPole. */
const known = new Set(listEnvironments());

/** Members by identity, with those that they descend from. */
const castOf = (
  id: number,
  members: Readonly<Record<string, readonly string[]>>,
  environment = "CartPole-v1",
): Cast => ({
  id,
  members: Object.entries(members).map(([key, ancestors]) => ({
    key,
    bytes: agentFile(Number(key), known.has(environment) ? { environment } : {}).bytes,
    environment,
    env_config: null,
    module: null,
    ancestors,
    colour: "red",
  })),
});

const pair = { 1: [], 2: [] };

describe("copies of an agent", () => {
  const copies = (progress: number): Cast => {
    const { bytes } = agentFile(3, { algorithm: "ES" });
    const [member] = castOf(1, { 3: [] }).members;
    const turn = { seed: 1, slot: 0, generation: 1, progress };
    const members = Array.from({ length: 6 }, (_, copy) => ({ key: `3~${copy}`, copy: { ...turn, copy } }));
    return { id: 1, members: members.map((own) => ({ ...(member as CastMember), bytes, ...own })) };
  };
  const shown = async (cast: Cast) => {
    const { stage, pass, looks, readings } = stageOf();
    await stage.cast(cast);
    pass(4000);
    const last = new Map(looks.map(({ place, look }) => [place, look]));
    return { looks: [...last.values()], totals: readings().map(({ total }) => total) };
  };

  it("differ, and pale the lower their return is", async () => {
    const { looks } = await shown(copies(0));
    const palenesses = looks.map(({ paleness }) => paleness);
    expect(Math.min(...palenesses)).toBe(0);
    expect(Math.max(...palenesses)).toBeGreaterThan(0.5);
    for (const { paleness, standing, framed } of looks) {
      expect(standing).toBeCloseTo((1 - paleness) * (5 / 6));
      expect(framed).toBe(false);
    }
  });

  it("are equal where a schedule has ended their noise, and none pales", async () => {
    const { looks, totals } = await shown(copies(1));
    expect(new Set(totals).size).toBe(1);
    expect(looks.map(({ paleness, standing }) => [paleness, standing])).toEqual(
      Array.from({ length: 6 }, () => [0, null]),
    );
  });
});

describe("a stage", () => {
  it("plays all of a cast at the environment's pace, each with a reading", async () => {
    const { stage, pass, told, readings } = stageOf();
    await stage.cast(castOf(1, pair));
    pass(3 * STEP);
    expect(told("shown")).toEqual([{ kind: "shown", cast: 1 }]);
    expect(told("moving")).toEqual([{ kind: "moving", cast: 1 }]);
    pass(500);
    const now = readings();
    expect(now.map(({ key }) => key)).toEqual(["1", "2"]);
    for (const { steps, total, action } of now) {
      expect(total).toBe(steps);
      expect([0, 1]).toContain(action?.[0]);
    }
    stage.play(true, 4);
    const episodes = new Set<number>();
    for (let i = 0; i < 20; i++) {
      pass(400);
      for (const { seed } of readings()) episodes.add(seed);
    }
    expect(episodes.size).toBeGreaterThan(1);
  });

  it("stands still when held, steps by hand, and begins anew from a seed", async () => {
    const { stage, pass, readings, asked } = stageOf();
    await stage.cast(castOf(1, { 1: [] }));
    pass(3 * STEP);
    stage.play(false, 1);
    pass(STEP);
    stage.reseed(77);
    stage.step();
    stage.step();
    expect(readings()).toMatchObject([{ key: "1", seed: 77, steps: 2, total: 2 }]);
    expect(asked()).toBe(0);
  });

  it("begins with the seed that was chosen before anybody was there, and tells how it stands though it is held", async () => {
    const { stage, pass, readings } = stageOf();
    stage.play(false, 1);
    stage.reseed(77);
    await stage.cast(castOf(1, { 1: [] }));
    pass(3 * STEP);
    expect(readings()).toMatchObject([{ key: "1", seed: 77, steps: 0, total: 0, action: null }]);
  });

  it("takes no more than its share of the time, and lets everyone have some of it", async () => {
    const { stage, pass, drawn } = stageOf({ cost: 8 });
    await stage.cast(castOf(1, pair));
    pass(10 * STEP);
    stage.share = 0.1;
    pass(1000);
    drawn.length = 0;
    pass(4000);
    // 8 ms each: a tenth of 4 s is 50 pictures; what is over is saved up before.
    expect(drawn.length).toBeGreaterThan(30);
    expect(drawn.length * 8).toBeLessThanOrEqual(0.1 * 4000 * 1.2 + 50);
    const [first, second] = [...new Set(drawn)].map((x) => drawn.filter((other) => other === x).length);
    // One rests for a while after each episode.
    expect(Math.min(first ?? 0, second ?? 0)).toBeGreaterThan(10);
  });

  it("draws many small pictures less often than they step", async () => {
    const { stage, pass, drawn, readings } = stageOf();
    const { members } = castOf(1, { 1: [] }, "MountainCar-v0");
    const many = Array.from({ length: 200 }, (_, at) =>
      members.map((one) => ({ ...one, key: String(at) })),
    ).flat();
    await stage.cast({ id: 1, members: many });
    pass(200);
    const before = readings()[0]?.steps ?? 0;
    drawn.length = 0;
    pass(400);
    const steps = (readings()[0]?.steps ?? 0) - before;
    expect(steps).toBeGreaterThanOrEqual(10);
    // 5,000 a second are 25 for each, and it steps 30 times.
    expect(drawn.length).toBeLessThanOrEqual(200 * 10);
    expect(drawn.length).toBeGreaterThanOrEqual(200 * 5);
  });

  it("lets its first players begin at once, however long they took to prepare", async () => {
    const { stage, pass, told } = stageOf({ work: 30 });
    stage.share = 0.1;
    await stage.cast(castOf(1, Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8].map((key) => [key, []]))));
    pass(5 * STEP);
    expect(told("moving")).toEqual([{ kind: "moving", cast: 1 }]);
  });

  it("asks for no frames while nobody sees it", async () => {
    const { stage, pass, asked, readings } = stageOf();
    await stage.cast(castOf(1, pair));
    pass(300);
    stage.seen = false;
    pass(STEP);
    expect(asked()).toBe(0);
    const before = readings();
    stage.seen = true;
    expect(asked()).toBe(1);
    pass(STEP);
    // It goes on where it was, and does not catch up.
    expect(before.length).toBe(2);
  });

  it("plays a selection for 1.5 s, and lets who stays go on with the episode", async () => {
    const { stage, pass, strokes, told, readings } = stageOf();
    await stage.cast(castOf(1, pair));
    pass(300);
    expect(strokes()).toBe(0);
    const next = castOf(2, { 1: [], 3: ["1"] });
    await stage.cast({ ...next, members: next.members.map((one) => ({ ...one, note: "lr × 1.2" })) });
    pass(100);
    expect(strokes()).toBeGreaterThan(0);
    expect(told("changing")).toEqual([{ kind: "changing", cast: 2 }]);
    pass(1300);
    expect(told("shown")).toHaveLength(1);
    pass(200);
    expect(told("shown")).toHaveLength(2);
    pass(300);
    expect(readings().map(({ key }) => key)).toEqual(["1", "3"]);
    const count = strokes();
    pass(500);
    expect(strokes()).toBe(count);
  });

  it("lets ranks settle by the fitness of who was on stage, and frames the champion", async () => {
    const { stage, pass, moment } = stageOf();
    const ranked = castOf(1, pair);
    const fitnesses = [3, 8];
    const members = ranked.members.map((one, at) => ({ ...one, fitness: fitnesses[at] ?? null }));
    await stage.cast({ ...ranked, members });
    pass(300);
    await stage.cast(castOf(2, { 2: [], 3: ["2"] }));
    pass(1000);
    const { strokes = [], champion, threads } = moment() ?? {};
    const left = { x: 0, y: 0 };
    expect(champion).toMatchObject(left);
    expect(strokes.find(({ grey }) => grey === 0)?.target).toMatchObject(left);
    expect(strokes.some(({ grey, opacity }) => grey === 1 && opacity === 0)).toBe(true);
    expect(threads).toHaveLength(1);
  });

  it("only fades who leaves where nobody has an heir, in 400 ms", async () => {
    const { stage, pass, told, moment } = stageOf();
    await stage.cast(castOf(1, pair));
    pass(300);
    await stage.cast(castOf(2, { 1: [], 3: [] }));
    pass(300);
    expect(moment()).toMatchObject({ threads: [], words: [], champion: null });
    pass(200);
    expect(told("shown")).toHaveLength(2);
  });

  it("draws the champion, ranks and what is new about copies for a while", async () => {
    const { stage, pass, looks } = stageOf();
    const cast = castOf(1, { 1: [], 2: [], 3: [] });
    const fitnesses = [5, null, 7];
    const members = cast.members.map((one, at) => ({
      ...one,
      fitness: fitnesses[at] ?? null,
      note: at === 0 ? "a neuron grows" : null,
    }));
    await stage.cast({ ...cast, members });
    pass(200);
    const shown = () =>
      [...new Map(looks.map(({ place, look }) => [place, look])).entries()].sort(([a], [b]) => a - b);
    expect(shown().map(([, { standing }]) => standing)).toEqual([0.5, null, 1]);
    expect(shown().map(([, { words }]) => words)).toEqual([
      { text: "a neuron grows", opacity: 1 },
      null,
      null,
    ]);
    pass(4000);
    expect(shown()[0]?.[1].words?.opacity).toBe(0);
  });

  it("poses before a still, and keeps the words there", async () => {
    const { stage, pass, looks, readings } = stageOf({ still: true });
    stage.play(false, 1);
    const cast = castOf(1, { 1: [] });
    const members = cast.members.map((one) => ({ ...one, note: "lr × 2" }));
    await stage.cast({ ...cast, members, pose: 5 });
    pass(4000);
    expect(readings()[0]?.steps).toBe(5);
    expect(looks.at(-1)?.look.words).toEqual({ text: "lr × 2", opacity: 1 });
  });

  it("plays policies that are packed", async () => {
    const { stage, pass, told, readings } = stageOf();
    const { agent } = decodeKeptAgent(agentFile(4).bytes);
    const place = { environment: "CartPole-v1", env_config: null };
    const bytes = packPolicy({ agent, ...place, generation: 0, fitness: null });
    const member = { key: "4", bytes, packed: true, ...place, module: null, ancestors: [], colour: "red" };
    await stage.cast({ id: 1, members: [member] });
    pass(300);
    expect(told("problem")).toEqual([]);
    expect(readings()[0]?.steps).toBeGreaterThan(3);
  });

  it("changes without motion for those who asked for little of it", async () => {
    const { stage, pass, strokes, told } = stageOf({ still: true });
    await stage.cast(castOf(1, pair));
    pass(300);
    await stage.cast(castOf(2, { 3: ["1"], 4: ["1"] }));
    pass(200);
    expect([told("shown").length, strokes()]).toEqual([2, 0]);
  });

  it("shows a cast that was begun, and of those that came meanwhile the last", async () => {
    const { stage, pass, told } = stageOf({ still: true });
    await Promise.all([1, 2, 3].map((id) => stage.cast(castOf(id, pair))));
    pass(200);
    await stage.cast(castOf(4, pair));
    for (let i = 0; i < 3; i++) {
      // What begins then loads its environment first.
      await new Promise((resolve) => setImmediate(resolve));
      pass(200);
    }
    expect(told("shown").map((message) => "cast" in message && message.cast)).toEqual([1, 3, 4]);
  });

  it("tells who cannot play and goes on with the others", async () => {
    const { stage, pass, told, readings } = stageOf();
    const cast = castOf(1, pair);
    const [first, second] = cast.members;
    if (!first || !second) throw new Error("no members");
    const broken = { ...first, bytes: new Uint8Array([1, 2, 3]) };
    await stage.cast({ ...cast, members: [broken, second] });
    pass(600);
    expect(told("problem")).toMatchObject([{ key: "1" }]);
    expect(readings().map(({ key }) => key)).toEqual(["2"]);
  });

  it("plays in several environments at once, each at its own pace", async () => {
    const { stage, pass, told, readings } = stageOf();
    const [mountain, acrobot] = [castOf(1, { 1: [] }, "MountainCar-v0"), castOf(1, { 2: [] }, "Acrobot-v1")];
    await stage.cast({ id: 1, members: [...mountain.members, ...acrobot.members] });
    pass(2000);
    expect(told("problem")).toEqual([]);
    const [first = 0, second = 0] = readings().map(({ steps }) => steps);
    // 30 and 15 steps a second.
    expect(second).toBeGreaterThan(20);
    expect(Math.abs(first - 2 * second)).toBeLessThanOrEqual(2);
  });

  it("lets others play on when somebody goes to another environment, and begins there anew", async () => {
    const { stage, pass, told, readings } = stageOf({ still: true });
    const here = castOf(1, pair, "MountainCar-v0").members;
    await stage.cast({ id: 1, members: here });
    pass(1000);
    const there = castOf(2, { 2: [] }, "Acrobot-v1").members;
    await stage.cast({ id: 2, members: [...here.slice(0, 1), ...there] });
    pass(500);
    expect(told("problem")).toEqual([]);
    expect(told("shown")).toHaveLength(2);
    const [stays, moved] = readings();
    expect(stays?.steps).toBeGreaterThan(30);
    expect(moved).toMatchObject({ key: "2", seed: 1 });
    expect(moved?.steps).toBeLessThanOrEqual(8);
  });

  it("tells who plays in an environment that is unknown, and goes on with the others", async () => {
    const { stage, pass, told, readings } = stageOf();
    const [lost, found] = [castOf(1, { 1: [] }, "Teapot-v0"), castOf(1, { 2: [] })];
    await stage.cast({ id: 1, members: [...lost.members, ...found.members] });
    pass(600);
    expect(told("problem")).toMatchObject([
      { key: "1", message: expect.stringMatching(/environment: unknown environment "Teapot-v0"/) },
    ]);
    expect(readings().map(({ key }) => key)).toEqual(["2"]);
  });

  it.each([
    ["Teapot-v0", /environment: unknown environment "Teapot-v0"/],
    ["test/Unseen-v0", /There is no drawing for test\/Unseen-v0/],
  ])("tells that nobody can play in %s, and plays what comes next", async (environment, reason) => {
    const { stage, pass, told } = stageOf();
    await stage.cast(castOf(1, pair, environment));
    expect(told("problem")).toMatchObject([{ key: null, message: expect.stringMatching(reason) }]);
    await stage.cast(castOf(2, pair));
    pass(200);
    expect(told("shown")).toHaveLength(1);
  });
});
