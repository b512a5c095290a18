/** Files of games as data sets, against the same steps as arrays. */
import { describe, expect, it } from "vitest";
import { datasetOf, openDataset } from "../../src/datasets/index.ts";
import { recordGames } from "../../src/datasets/record.ts";
import {
  findCompiledEnvironment,
  findEnvironment,
  type GameRules,
  isCompiled,
  listEnvironments,
  writeGameFile,
} from "../../src/rl/environments.ts";

const PIG = 'game rlkit/Pig {"target":4}';
const bytesOf = (...lines: string[]) => new TextEncoder().encode(lines.join("\n"));
const opened = (...lines: string[]) => openDataset(bytesOf(...lines), { source: "a.games" });

const rulesOf = (id: string): GameRules =>
  findCompiledEnvironment(id).game?.rules ?? expect.fail(`${id} is a game`);
const { observation_space, action_space } = rulesOf("rlkit/Pig");
const layout = { observation_space, action_space };
const [HOLD, ROLL] = [0, 1];

describe("a file of games", () => {
  it("has each player's turns, whose results are known", async () => {
    const dataset = await opened(
      PIG,
      "# The first player wins by its second turn.",
      "roll *3 hold roll *1 roll *2 hold",
      "",
      "roll *3 roll *6 hold",
      "roll *2 hold roll *2 hold roll",
    );
    const observations = [
      // The first game: its first player, and its second one.
      [0, 0, 0],
      [0, 0, 0.75],
      [0.75, 0, 0],
      [0.75, 0, 0.5],
      [0, 0.75, 0],
      // The second game: only its first player had a turn.
      [0, 0, 0],
      [0, 0, 0.75],
      [0, 0, 2.25],
      // The third one stopped: the last moves are left out.
      [0, 0, 0],
      [0, 0, 0.5],
      [0, 0.5, 0],
    ];
    const all = [1, 1];
    const due = datasetOf({
      observations,
      actions: [ROLL, HOLD, ROLL, HOLD, ROLL, ROLL, ROLL, HOLD, ROLL, HOLD, ROLL],
      rewards: [0, 0, 0, 1, -1, 0, 0, 1, 0, 0, 0],
      terminals: [0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0],
      timeouts: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
      action_masks: [all, all, all, [1, 0], all, all, all, [1, 0], all, all, all],
      next_observations: [
        [0, 0, 0.75],
        [0.75, 0, 0],
        [0.75, 0, 0.5],
        [0.75, 0, 0.5],
        [0, 0.75, 0],
        [0, 0, 0.75],
        [0, 0, 2.25],
        [0, 0, 2.25],
        [0, 0, 0.5],
        [0.5, 0.5, 0],
        [0, 0.5, 0.5],
      ],
      next_action_masks: [all, all, [1, 0], [1, 0], all, all, [1, 0], [1, 0], all, all, all],
    });
    expect(await dataset.transitions(layout)).toEqual(await due.transitions(layout));
    expect(dataset.episodes()).toEqual(due.episodes());
    expect(dataset.notices).toEqual([]);
  });

  it("is written and read for all games, with what chance decided", async () => {
    const games = listEnvironments().filter((id) => {
      const env = findEnvironment(id);
      return isCompiled(env) && env.game;
    });
    expect(games.length).toBeGreaterThan(9);
    for (const id of games) {
      const rules = rulesOf(id);
      const record = { rules, steps: 40, seed: 3 };
      const played = recordGames(record);
      expect(recordGames(record)).toEqual(played);
      const text = writeGameFile({ rules }, played);
      const dataset = await opened(...text.split("\n"));
      const { total_steps } = dataset;
      // Of the last game, the last move of each player may be left out.
      expect(total_steps).toBeGreaterThanOrEqual(40 - rules.players.length);
      expect(total_steps).toBeLessThanOrEqual(40);
    }
  });

  it.each([
    [[PIG, "", "roll *3 hold roll *1 roll *2 roll"], 'line 3: rlkit/Pig: move 8: found "roll", allowed hold'],
    [[PIG, "roll *7"], 'line 2: rlkit/Pig: move 2: found "*7", allowed *1, *2'],
    [[PIG, "roll *4 hold", "roll *4 hold roll"], "line 3: rlkit/Pig: move 4"],
    [["game rlkit/TicTacToe", "a9"], 'line 2: rlkit/TicTacToe: move 1: found "a9", allowed a'],
    [["game rlkit/Nothing", "a1"], "line 1:"],
    [["game CartPole-v1", "a1"], "line 1: found CartPole-v1, allowed rlkit's games"],
    [['game rlkit/Pig {"target":0.5}', "roll"], "target"],
    [["game rlkit/Pig {target}", "roll"], "line 1:"],
  ])("is refused where %s is wrong, by its line", async (lines, message) => {
    await expect(opened(...lines)).rejects.toThrow(message);
    await expect(opened(...lines)).rejects.toThrow("a.games");
  });
});
