/** Policies at play where a sandbox steps and draws: every answer comes later, and may not come at all. */
import { describe, expect, it } from "vitest";
import { environmentSeed, PURPOSE } from "../../../src/agents/members.ts";
import { WasmDevice } from "../../../src/kernels/devices.ts";
import { infoMasks } from "../../../src/rl/faces.ts";
import { SandboxTimeoutError } from "../../../src/sandbox/sandboxes.ts";
import { GreedyPolicy } from "../../../src/stage/GreedyPolicy.ts";
import { MOST_LANES, type OwnLane } from "../../../src/stage/OwnLanes.ts";
import type { StageSize } from "../../../src/stage/stageProtocol.ts";
import { CART_POLE, walk } from "../../sandbox/support/modules.ts";
import { ownLanes } from "./support/ownLane.ts";
import { answered, stageOf } from "./support/stageOf.ts";

const castOf = (members: Parameters<ReturnType<typeof stageOf>["stage"]["cast"]>[0]["members"], id = 1) => ({
  id,
  members,
});

/** An episode without an end. */
const ENDLESS = walk({
  step: "return { observation: [0, 0], reward: 1, terminated: false, truncated: false, info: {} };",
});

/** A stage with these players of a module, begun. @param changes Of each lane, in the order of their opening. */
async function begun(
  script: string,
  players: readonly number[],
  changes: (opened: number) => Partial<OwnLane> = () => ({}),
) {
  const own = await ownLanes(script);
  const hall = stageOf({ still: true, openLane: async () => own.open(changes(own.count.opened)) });
  await hall.stage.cast(castOf(players.map(own.member)));
  await hall.passWithAnswers(60);
  return { ...own, ...hall };
}

const never = (): Promise<never> => new Promise(() => undefined);
const lost = (call: string) => async (): Promise<never> => {
  throw new SandboxTimeoutError(`user/test: ${call}: found no answer within 10 s`);
};

describe("an agent at play in a sandbox", () => {
  it("plays the episode that its policy plays in this thread", async () => {
    const { stage, readings, passWithAnswers, thread, spaces, agent } = await begun(CART_POLE, [3]);
    stage.play(false, 1);
    stage.reseed(7);
    await passWithAnswers(100);
    const env = thread();
    const actor = new GreedyPolicy(new WasmDevice(), spaces, agent(3));
    let { observation, info } = env.reset({ seed: environmentSeed(7, PURPOSE.record) });
    for (let steps = 1, ended = false; !ended; steps++) {
      const action = actor.act({ observation, mask: infoMasks(spaces.action_space, info) });
      const next = env.step(action);
      stage.step();
      await answered();
      ended = next.terminated[0] === 1 || next.truncated[0] === 1;
      expect(readings()).toMatchObject([{ seed: 7, steps, total: steps, action, ended }]);
      ({ observation, info } = next);
    }
    stage.step();
    await answered();
    expect(readings()).toMatchObject([{ seed: 8, steps: 0, ended: false }]);
  });

  it("goes at its environment's pace, with at most 20 pictures a second in the size of its tile", async () => {
    const { stage, pictures, told, readings, drawn, passWithAnswers } = await begun(ENDLESS, [1]);
    expect(told("moving")).toHaveLength(1);
    const [before = 0] = readings().map(({ steps }) => steps);
    pictures.length = 0;
    drawn.length = 0;
    await passWithAnswers(2000, 10);
    const [after = 0] = readings().map(({ steps }) => steps);
    // 30 steps a second.
    expect(after - before).toBeGreaterThan(50);
    expect(after - before).toBeLessThanOrEqual(61);
    expect(pictures.length).toBeGreaterThan(25);
    expect(pictures.length).toBeLessThanOrEqual(40);
    expect(drawn.length).toBeGreaterThanOrEqual(pictures.length);
    // The tile has 400 x 300 CSS pixels, three of them for its bar.
    expect(pictures[0]).toEqual({ width: 431, height: 320, scale: 297 / 320 });
    stage.play(true, 4);
    pictures.length = 0;
    await passWithAnswers(1000, 10);
    expect((readings()[0]?.steps ?? 0) - after).toBeGreaterThan(80);
    expect(pictures.length).toBeLessThanOrEqual(21);
  });

  it("shows the state after the last of several steps by hand, once 50 ms have passed", async () => {
    const { stage, pictures, passWithAnswers, readings } = await begun(CART_POLE, [1]);
    stage.play(false, 1);
    await passWithAnswers(200);
    pictures.length = 0;
    stage.step();
    stage.step();
    stage.step();
    await answered();
    expect(readings()[0]?.steps).toBeGreaterThanOrEqual(3);
    expect(pictures).toHaveLength(1);
    stage.step();
    await answered();
    expect(pictures).toHaveLength(1);
    await passWithAnswers(60);
    expect(pictures).toHaveLength(2);
  });

  it("forgets a step that comes after it was begun anew", async () => {
    let answer: (() => void) | null = null;
    const own = await ownLanes(CART_POLE);
    const hall = stageOf({
      still: true,
      openLane: async () => {
        const lane = own.open();
        return {
          ...lane,
          step: async (actions, wanted) => {
            await new Promise<void>((resolve) => {
              answer = resolve;
            });
            return lane.step(actions, wanted);
          },
        };
      },
    });
    hall.stage.play(false, 1);
    await hall.stage.cast(castOf([own.member(1)]));
    await hall.passWithAnswers(60);
    hall.stage.step();
    await answered();
    hall.stage.reseed(5);
    (answer as (() => void) | null)?.();
    await hall.passWithAnswers(100);
    expect(hall.readings()).toMatchObject([{ seed: 5, steps: 0, total: 0, action: null }]);
  });

  it("gives its sandbox to who takes its place, and gives it back when nobody does", async () => {
    const { stage, member, count, passWithAnswers, readings } = await begun(CART_POLE, [1, 2]);
    expect(count).toMatchObject({ opened: 2, closed: 0 });
    await stage.cast(castOf([member(1), member(3)], 2));
    await passWithAnswers(200);
    expect(readings().map(({ key }) => key)).toEqual(["1", "3"]);
    expect(count).toMatchObject({ opened: 2, closed: 0 });
    await stage.cast(castOf([member(3)], 3));
    await passWithAnswers(200);
    expect(count).toMatchObject({ opened: 2, closed: 1 });
    // Of the pictures one is kept for each tile.
    expect(count.kept).toBe(1);
  });

  it("stands still when its module throws, while others play on, and tries again with the next cast", async () => {
    const thrown = async (): Promise<never> => {
      throw new Error("user/test: env.step() 1 of lane 0: threw Error: trip");
    };
    const { stage, told, readings, member, passWithAnswers, count } = await begun(
      CART_POLE,
      [1, 2],
      (opened) => (opened === 1 ? { step: thrown } : {}),
    );
    await passWithAnswers(500);
    expect(told("problem")).toEqual([
      { kind: "problem", key: "2", message: "user/test: env.step() 1 of lane 0: threw Error: trip" },
    ]);
    const [first, second] = readings();
    expect(first?.steps).toBeGreaterThan(5);
    expect(second?.steps).toBe(0);
    expect(count).toMatchObject({ opened: 2, closed: 1 });
    await stage.cast(castOf([member(1), member(2)], 2));
    await passWithAnswers(500);
    expect(told("problem")).toHaveLength(1);
    expect(readings()[1]?.steps).toBeGreaterThan(5);
  });

  it("is opened no more where a sandbox ended: a loop without end would take a processor with each cast", async () => {
    const { stage, told, member, passWithAnswers, count } = await begun(CART_POLE, [1], () => ({
      step: lost("step"),
    }));
    await passWithAnswers(200);
    expect(told("problem")).toMatchObject([{ key: "1", message: expect.stringContaining("within 10 s") }]);
    for (const id of [2, 3]) {
      await stage.cast(castOf([member(id)], id));
      await passWithAnswers(100);
    }
    expect(told("problem")).toHaveLength(3);
    expect(count).toEqual(expect.objectContaining({ opened: 1, closed: 1 }));
  });

  it.each<[string, Partial<OwnLane>, RegExp]>([
    [
      "it has no drawing",
      { renders: false },
      /There is no drawing for user\/test: .* render\(context, size\)/,
    ],
    ["its first picture does not come", { render: lost("render") }, /render: found no answer within 10 s/],
  ])("is not begun where %s", async (_what, changes, said) => {
    const { told, count } = await begun(CART_POLE, [1, 2], () => changes);
    expect(told("problem")).toEqual([{ kind: "problem", key: null, message: expect.stringMatching(said) }]);
    expect(count).toMatchObject({ closed: count.opened });
  });

  it("is not begun without the code", async () => {
    const { member } = await ownLanes(CART_POLE);
    const { stage, told } = stageOf();
    await stage.cast(castOf([{ ...member(1), module: null }]));
    expect(told("problem")).toEqual([
      {
        kind: "problem",
        key: null,
        message: expect.stringContaining("The code of user/test is not available"),
      },
    ]);
  });

  it("does not begin beyond so many sandboxes", async () => {
    const players = Array.from({ length: MOST_LANES + 1 }, (_, i) => i + 1);
    const { told, count } = await begun(CART_POLE, players, () => ({ step: never }));
    expect(count.opened).toBe(MOST_LANES);
    expect(told("problem")).toMatchObject([{ message: expect.stringContaining(`at most ${MOST_LANES}`) }]);
  });

  it("takes no more than its share of the time, however long answers take", async () => {
    const own = await ownLanes(ENDLESS);
    let taken = 0;
    const hall = stageOf({
      openLane: async () => {
        const lane = own.open();
        const late = <T>(answer: Promise<T>): Promise<T> => {
          hall.take(8);
          taken += 8;
          return answer;
        };
        return {
          ...lane,
          step: (actions, wanted) => late(lane.step(actions, wanted)),
          render: (at, size) => late(lane.render(at, size)),
        };
      },
    });
    hall.stage.share = 0.1;
    await hall.stage.cast(castOf([1, 2].map(own.member)));
    await hall.passWithAnswers(1000);
    taken = 0;
    const start = hall.time();
    await hall.passWithAnswers(4000);
    const share = 0.1 * (hall.time() - start);
    // Each of two players may take up to eight steps at once, which are paid back after.
    expect(taken).toBeLessThanOrEqual(share + 200);
    expect(taken).toBeGreaterThan(share / 2);
  });

  it("is drawn at the size that its tile has by then", async () => {
    const { stage, pictures, passWithAnswers, painter } = await begun(CART_POLE, [1]);
    const larger: StageSize = { width: 800, height: 300, ratio: 2 };
    painter.size = larger;
    stage.resize(larger);
    pictures.length = 0;
    await passWithAnswers(200);
    expect(pictures[0]).toEqual({ width: 862, height: 320, scale: (297 * 2) / 320 });
  });
});
