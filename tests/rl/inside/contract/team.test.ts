/** Groups of agents, and the positions of their numbers in joint rows. */
import { describe, expect, it } from "vitest";
import { findAlgorithm } from "../../../../src/agents/members.ts";
import { state, trace } from "../../../../src/kernels/index.ts";
import { joint, numbersOf, rowsOf } from "../../../../src/rl/contract/team.ts";
import { keysOf, teamOf, withFamilies } from "../../../../src/rl/contract.ts";
import { Agents, Box, Discrete, MultiDiscrete } from "../../../../src/rl/spaces.ts";
import { runOnReference } from "../../../kernels/support/run.ts";
import { type Mate, sees, spacesOf } from "../support/teams.ts";

const mates: Readonly<Record<string, Mate>> = {
  red_0: { key: "red", obs: 2, acts: new Discrete(3) },
  blue_0: { key: "blue", obs: 3, acts: new Box({ low: -1, high: 1, shape: [2] }) },
  red_1: { key: "red", obs: 2, acts: new Discrete(3) },
};

describe("keys of networks", () => {
  it.each<[readonly string[], Readonly<Record<string, readonly string[]>>]>([
    [["speaker_0", "listener_0"], { speaker_0: ["speaker_0"], listener_0: ["listener_0"] }],
    [["agent_0", "agent_1", "agent_2"], { agent: ["agent_0", "agent_1", "agent_2"] }],
    [["red_0", "blue_0", "red_1"], { red: ["red_0", "red_1"], blue: ["blue_0"] }],
    [["a", "b"], { a: ["a"], b: ["b"] }],
    [["fast_car_0", "fast_car_1", "fast"], { fast_car: ["fast_car_0", "fast_car_1"], fast: ["fast"] }],
  ])("of %j", (ids, keys) => {
    expect(Object.fromEntries(keysOf(ids))).toEqual(keys);
    expect([...keysOf(ids).keys()]).toEqual(Object.keys(keys));
  });

  it("stand in the tables of an agent's algorithm, in the order of its networks", () => {
    const networks = ["red", "blue"].flatMap((key) =>
      ["actors", "actor_targets", "critics_1", "critic_targets_1", "critics_2", "critic_targets_2"].map(
        (family) => `${family}.${key}`,
      ),
    );
    const own = withFamilies(findAlgorithm("MATD3"), networks);
    expect(own).toMatchObject({
      policies: ["actors.red", "actors.blue"],
      targets: { "actor_targets.blue": "actors.blue", "critic_targets_2.red": "critics_2.red" },
      optimizers: { "critic_2_optimizers.blue": { networks: ["critics_2.blue"], lr: "lr_critic" } },
      delayed: {
        optimizers: ["actor_optimizers.red", "actor_optimizers.blue"],
        metrics: ["actor_loss/red", "actor_loss/blue", "actor_loss"],
      },
    });
    const single = findAlgorithm("TD3");
    expect(withFamilies(single, ["actor"])).toBe(single);
  });
});

describe("joint rows", () => {
  it("are the agents' own in the environment's order, also where a group does not stand together", () => {
    const [red, blue] = teamOf(spacesOf(mates));
    expect(red?.agents.map(({ obs, action, one_hot, mask }) => [obs, action, one_hot, mask])).toEqual([
      [
        { start: 0, size: 2 },
        { start: 0, size: 1 },
        { start: 0, size: 3 },
        { start: 0, size: 3 },
      ],
      [
        { start: 5, size: 2 },
        { start: 3, size: 1 },
        { start: 5, size: 3 },
        { start: 3, size: 3 },
      ],
    ]);
    expect(blue?.agents[0]).toMatchObject({
      index: 1,
      obs: { start: 2, size: 3 },
      action: { start: 1, size: 2 },
      one_hot: { start: 3, size: 2 },
      mask: { start: 3, size: 0 },
    });
  });

  it("come apart into rows of each key and together again", () => {
    const team = teamOf(spacesOf(mates));
    const rows = Array.from({ length: 14 }, (_x, i) => i);
    const each = [0, 1, 2, 3, 4, 5];
    const program = trace("apart", () => {
      const obs = state("obs", [2, 7]).read();
      const numbers = state("each", [2, 3]).read();
      for (const key of team) {
        const own = rowsOf(key, obs, (mate) => mate.obs);
        state(`obs.${key.key}`, own.shape).write(own);
        const alone = numbersOf(key, numbers);
        state(`each.${key.key}`, alone.shape).write(alone);
      }
      state("obs.again", [2, 7]).write(joint(team, (key) => rowsOf(key, obs, (mate) => mate.obs)));
      state("each.again", [2, 3]).write(joint(team, (key) => numbersOf(key, numbers)));
    });
    const after = runOnReference(program, {}, { obs: rows, each });
    expect(after).toMatchObject({
      "obs.red": [0, 1, 5, 6, 7, 8, 12, 13],
      "obs.blue": [2, 3, 4, 9, 10, 11],
      "each.red": [0, 2, 3, 5],
      "each.blue": [1, 4],
      "obs.again": rows,
      "each.again": each,
    });
  });
});

describe("teams are refused", () => {
  it("when spaces differ inside a group, naming the agent, the place and the group", () => {
    const seen = { ...mates, red_1: { key: "red", obs: 4, acts: new Discrete(3) } };
    expect(() => teamOf(spacesOf(seen))).toThrow(
      /observation_space\.red_1: found 4 finite.*, allowed 2 finite.*, the space of red_0: agents of the group "red"/,
    );
    const acting = { ...mates, red_1: { key: "red", obs: 2, acts: new MultiDiscrete([3]) } };
    expect(() => teamOf(spacesOf(acting))).toThrow(/action_space\.red_1: found .*group "red"/);
    const numbered = { ...mates, red_1: { key: "red", obs: 2, acts: new Discrete(3, { start: 1 }) } };
    expect(() => teamOf(spacesOf(numbered))).toThrow(/action_space\.red_1: found .*group "red"/);
  });

  it("when a Box of a group has other bounds", () => {
    const move = (high: number) => new Box({ low: -1, high, shape: [2] });
    const acting = {
      red_0: { key: "red", obs: 2, acts: move(1) },
      red_1: { key: "red", obs: 2, acts: move(2) },
    };
    expect(() => teamOf(spacesOf(acting))).toThrow(
      /action_space\.red_1: found .*"high":\[2,2\].*, allowed .*"high":\[1,1\]/,
    );
  });

  it("when an id cannot be a name, or other agents act than see", () => {
    for (const id of ["0_red", "red.0", "rot kohl", ""])
      expect(() => new Agents({ [id]: sees(1) })).toThrow(/Agents: found the agent .*, allowed letters/);
    const { observation_space } = spacesOf(mates);
    const { action_space } = spacesOf({ red_0: { key: "red", obs: 2, acts: new Discrete(3) } });
    expect(() => teamOf({ observation_space, action_space })).toThrow(
      /action_space: found the agents red_0, allowed those of observation_space: red_0, blue_0, red_1/,
    );
    expect(() => teamOf({ observation_space: sees(2), action_space })).toThrow(
      /observation_space: found 2 finite numbers .*allowed the spaces of several agents/,
    );
  });
});
