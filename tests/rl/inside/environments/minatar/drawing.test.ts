import { describe, expect, it } from "vitest";
import {
  Asterix,
  Breakout,
  drawEnvironment,
  Freeway,
  make,
  Seaquest,
  SpaceInvaders,
} from "../../../../../src/rl/environments.ts";
import { publishedGames } from "../../../environments/minatar/publishedGames.ts";
import { recorder, size, theme } from "../../../support/drawingRecorder.ts";

describe.each(Object.entries(publishedGames))("drawing of %s", (id, { rules }) => {
  /** States and pictures of a game that cycles through all keys. */
  function* played() {
    const env = make(id);
    let { observation } = env.reset({ seed: 3 });
    for (let t = 0; t < 200; t++) {
      yield { state: env.getState(), observation, action: t === 0 ? null : (t - 1) % rules.keys.length };
      const next = env.step(t % rules.keys.length);
      observation = next.terminated ? env.reset().observation : next.observation;
    }
  }

  it("shows the cells that the agent sees", () => {
    const { channels } = rules;
    const game = [Asterix, Breakout, Freeway, Seaquest, SpaceInvaders].find((known) => known.id === id);
    for (const { state, observation } of played()) {
      const seen = new Set<string>();
      observation.forEach((value, i) => {
        const [cell, channel] = [Math.floor(i / channels.length), channels[i % channels.length]];
        if (value === 1) seen.add(`${channel} ${cell % 10} ${Math.floor(cell / 10)}`);
      });
      const shown = (game?.cells(state) ?? []).map(({ channel, x, y }) => `${channel} ${x} ${y}`);
      expect(new Set(shown)).toEqual(seen);
    }
  });

  it("covers the ground first, draws finite shapes and leaves the context as it was", () => {
    for (const { state, action } of played()) {
      const { context, calls } = recorder();
      drawEnvironment(id)?.(context, state, action, size, theme);
      const numbers = calls.flatMap((call) => call.args).filter((arg) => typeof arg === "number");
      expect(numbers.every(Number.isFinite)).toBe(true);
      const saves = calls.filter((call) => call.name === "save").length;
      expect(calls.filter((call) => call.name === "restore")).toHaveLength(saves);
      const [first] = calls.filter((call) => call.name === "fillStyle");
      expect([calls[0]?.name, first?.args, calls.at(-1)?.name]).toEqual(["save", ["ground"], "restore"]);
      expect(calls.find((call) => call.name === "fillRect")?.args).toEqual([0, 0, 320, 200]);
      const alphas = calls.filter((call) => call.name === "globalAlpha").map((call) => call.args[0]);
      expect(alphas.at(-1)).toBe(1);
    }
  });

  it("shows the key that was played", () => {
    const env = make(id);
    env.reset({ seed: 3 });
    const state = env.getState();
    const scenes = rules.keys.map((_, key) => {
      const { context, calls } = recorder();
      drawEnvironment(id)?.(context, [...state.slice(0, -1), key], 0, size, theme);
      return JSON.stringify(calls);
    });
    expect(new Set(scenes).size).toBe(rules.keys.length);
  });
});
