/** Distance and speed of bodies at play. */
import { describe, expect, it } from "vitest";
import { findEnvironment, listEnvironments } from "../../../src/rl/environments.ts";
import { travelledTexts } from "../../../src/stage/stageProtocol.ts";
import { Travel, travelOf } from "../../../src/stage/Travel.ts";
import { agentOf } from "../../rl/support/agents.ts";
import { playOf } from "./support/episodes.ts";

/** A body whose state is its place. */
const body = (rate: number) => new Travel((state) => state[0] ?? 0, rate);

describe("a body's travel", () => {
  it("counts from the place where the episode began", () => {
    const travel = body(4);
    travel.begin([7]);
    expect(travel.travelled).toEqual({ distance: 0, speed: 0 });
    for (const x of [7.5, 8, 8.5]) travel.step([x]);
    expect(travel.travelled).toEqual({ distance: 1.5, speed: 2 });
    travel.begin([-3]);
    travel.step([-4]);
    expect(travel.travelled).toEqual({ distance: -1, speed: -4 });
  });

  it("has the speed of the last second, whatever was before", () => {
    const travel = body(4);
    travel.begin([0]);
    for (const x of [10, 20, 30, 40, 40.5, 41, 41.5, 42]) travel.step([x]);
    expect(travel.travelled).toEqual({ distance: 42, speed: 2 });
  });

  it("changes four times a second of play, so that it can be read", () => {
    const travel = body(20);
    travel.begin([0]);
    const seen = Array.from({ length: 20 }, (_, i) => {
      travel.step([i + 1]);
      return travel.travelled.distance;
    });
    expect([...new Set(seen)]).toEqual([0, 5, 10, 15, 20]);
  });

  it("is text with one decimal, never minus zero", () => {
    expect(travelledTexts({ distance: 12.34, speed: -0.04 })).toEqual(["12.3 m", "0.0 m/s"]);
    expect(travelledTexts({ distance: -1.26, speed: 3 })).toEqual(["-1.3 m", "3.0 m/s"]);
  });
});

describe("environments", () => {
  it("tell where their bodies are, if these move along", () => {
    const travelling = listEnvironments().filter((id) => travelOf(findEnvironment(id)) !== null);
    expect(travelling).toEqual([
      "BipedalWalker-v3",
      "BipedalWalkerHardcore-v3",
      "rlkit/Hopper-v0",
      "rlkit/HalfCheetah-v0",
      "rlkit/Walker2d-v0",
      "Swimmer-v5",
      "Hopper-v5",
      "HalfCheetah-v5",
      "Walker2d-v5",
      "Ant-v5",
      "Humanoid-v5",
      "Swimmer-v4",
      "HalfCheetah-v4",
    ]);
  });

  it.each([
    ["rlkit/HalfCheetah-v0", {}],
    // Episodes of bodies that fall end before there is anything to show.
    ["Hopper-v5", { terminate_when_unhealthy: false }],
    ["BipedalWalker-v3", {}],
  ] as const)("at play: %s counts what its state says", async (id, options) => {
    const env = findEnvironment(id, options);
    const play = await playOf(agentOf({ name: "PPO" }, env), env);
    const start = play.state[0] ?? 0;
    const rate = env.frame_rate ?? 0;
    const every = Math.round(rate / 4);
    for (let i = 0; i < every; i++) play.step();
    const gone = (play.state[0] ?? 0) - start;
    expect(play.travelled?.distance).toBe(gone);
    expect(play.travelled?.speed).toBeCloseTo((gone * rate) / every, 9);
    play.restart(2);
    expect(play.travelled).toEqual({ distance: 0, speed: 0 });
    play.close();
  });

  it("at play without a body have nothing to tell", async () => {
    const env = findEnvironment("CartPole-v1");
    const play = await playOf(agentOf({ name: "PPO" }, env), env);
    expect(play.travelled).toBeNull();
    play.close();
  });
});
