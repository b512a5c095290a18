import { describe, expect, it } from "vitest";
import { infoMasks, maskValues } from "../../../../src/rl/faces.ts";
import {
  Agents,
  agentChoices,
  Box,
  choicesOf,
  Discrete,
  MultiBinary,
  MultiDiscrete,
} from "../../../../src/rl/spaces.ts";

const box = new Box({ low: -1, high: 1, shape: [3] });
const space = new Agents({
  chooser: new Discrete(3),
  glider: box,
  pair: new MultiDiscrete([2, 2]),
  bits: new MultiBinary(2),
});

describe("choices of several agents", () => {
  it("are those of the agents that choose, one after another", () => {
    expect(choicesOf(space)).toBe(3 + 4 + 2);
    expect(agentChoices(space).map(({ id, start, size }) => [id, start, size])).toEqual([
      ["chooser", 0, 3],
      ["pair", 3, 4],
      ["bits", 7, 2],
    ]);
    expect(choicesOf(new Agents({ a: box, b: box }))).toBe(0);
  });
});

describe("masks of several agents", () => {
  it("are all ones for agents without one, for those that have left, and for lanes without any", () => {
    const masks = infoMasks(space, [
      { pair: { action_mask: [0, 1, 1, 0] }, chooser: {}, glider: { action_mask: [5] } },
      {},
      { chooser: { action_mask: [true, false, false] }, bits: { action_mask: [0, 0] } },
    ]);
    expect([...(masks ?? [])]).toEqual([
      ...[1, 1, 1, 0, 1, 1, 0, 1, 1],
      ...[1, 1, 1, 1, 1, 1, 1, 1, 1],
      ...[1, 0, 0, 1, 1, 1, 1, 0, 0],
    ]);
    expect([...(infoMasks(space, [{}, {}]) ?? [])]).toEqual(new Array(18).fill(1));
    expect(infoMasks(new Agents({ a: box }), [{ a: { action_mask: [1] } }])).toBeNull();
  });

  it.each([
    [
      { chooser: { action_mask: [1, 1] } },
      "info.action_mask of agent chooser in lane 1: found 2 numbers, allowed 3 numbers",
    ],
    [
      { pair: { action_mask: "all" } },
      'info.action_mask of agent pair in lane 1: found "all", allowed 4 numbers',
    ],
    [
      { pair: { action_mask: [1, 1, 0, 2] } },
      "action_mask.pair[3] of observation 1: found 2, allowed 0 or false",
    ],
    [
      { chooser: { action_mask: [0, 0, 0] } },
      "action_mask of observation 1, agent chooser: found no legal choice, allowed one or more",
    ],
    [
      { pair: { action_mask: [1, 1, 0, 0] } },
      "action_mask of observation 1, agent pair: found no legal choice of number 1, allowed one or more",
    ],
  ])("%j is refused by name", (info, says) => {
    expect(() => infoMasks(space, [{}, info])).toThrow(says);
  });

  it("may forbid everything to who chooses no more, who then has every choice", () => {
    const { ids } = space;
    const infos = [{}, { chooser: { action_mask: [0, 0, 0] }, pair: { action_mask: [0, 1, 0, 0] } }];
    const over = new Uint8Array(2 * ids.length);
    over[ids.length + ids.indexOf("chooser")] = 1;
    const left = "action_mask of observation 1, agent pair: found no legal choice of number 1";
    expect(() => infoMasks(space, infos, over)).toThrow(left);
    over[ids.length + ids.indexOf("pair")] = 1;
    const masks = [...(infoMasks(space, infos, over) ?? [])].slice(9);
    const shares = agentChoices(space);
    const of = (id: string): number[] => {
      const { start = 0, size = 0 } = shares.find((one) => one.id === id) ?? {};
      return masks.slice(start, start + size);
    };
    expect(of("chooser")).toEqual([1, 1, 1]);
    // Parts with a legal choice keep their mask.
    expect(of("pair")).toEqual([0, 1, 1, 1]);
    const one = new Discrete(2);
    expect([...(infoMasks(one, [{}, { action_mask: [0, 0] }], [0, 1]) ?? [])]).toEqual([1, 1, 1, 1]);
    expect(() => infoMasks(one, [{}, { action_mask: [0, 0] }], [1, 0])).toThrow("observation 1: found no");
  });

  it("may be given as numbers", () => {
    const given = [1, 0, 0, 1, 0, 0, 1, 0, 1];
    expect([...(maskValues(space, 1, given) ?? [])]).toEqual(given);
    expect(() => maskValues(space, 2, given)).toThrow(
      "action_mask: found 9 numbers, allowed 18 (2 observations of 9 choices)",
    );
  });
});
