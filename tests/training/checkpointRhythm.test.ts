import { describe, expect, it } from "vitest";
import { CheckpointRhythm } from "../../src/training/loop.ts";
import { agentOf } from "../rl/support/agents.ts";

const at = (...steps: readonly number[]) => ({
  members: steps.map((taken) => ({ ...agentOf({ name: "DQN" }), steps: taken })),
});

describe("CheckpointRhythm", () => {
  it("by steps: one is due whenever the furthest member has passed another multiple, until it is written", () => {
    const rhythm = new CheckpointRhythm(at(0, 0), { every_steps: 100 });
    expect(rhythm.due(at(90, 99))).toBe(false);
    expect(rhythm.due(at(90, 100))).toBe(true);
    rhythm.tried();
    expect(rhythm.due(at(90, 100))).toBe(true);
    rhythm.wrote(at(90, 350));
    expect(rhythm.due(at(399, 380))).toBe(false);
    expect(rhythm.due(at(400, 380))).toBe(true);
    expect(rhythm.wait).toBe(Number.POSITIVE_INFINITY);
  });

  it("by steps: what a run starts from needs none", () => {
    const rhythm = new CheckpointRhythm(at(250), { every_steps: 100 });
    expect(rhythm.due(at(290))).toBe(false);
    expect(rhythm.due(at(300))).toBe(true);
  });

  it("by time: the first one comes sooner, the next ones after each that was tried", () => {
    let now = 5000;
    const rhythm = new CheckpointRhythm(at(0), { every_ms: 1000, first_ms: 200, now: () => now });
    expect([rhythm.due(at(1)), rhythm.wait]).toEqual([false, 200]);
    now += 200;
    expect(rhythm.due(at(1))).toBe(true);
    rhythm.tried();
    now += 999;
    expect(rhythm.due(at(1))).toBe(false);
    now += 1;
    expect(rhythm.due(at(1))).toBe(true);
    rhythm.wrote(at(1));
    expect(rhythm.wait).toBe(1000);
    rhythm.lost();
    expect(rhythm.due(at(1))).toBe(true);
  });
});
