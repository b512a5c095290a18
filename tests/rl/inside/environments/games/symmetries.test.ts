import { describe, expect, test } from "vitest";
import { Random } from "../../../../../src/evolution/random.ts";
import { builtInEnvironments } from "../../../../../src/rl/environments/builtIn.ts";
import { CHANCE, type Symmetry } from "../../../../../src/rl/environments/face/GameRules.ts";
import { isCompiled } from "../../../../../src/rl/environments.ts";

const games = builtInEnvironments.flatMap((env) =>
  isCompiled(env) && env.game?.rules.symmetries ? [env.game.rules] : [],
);

const isPermutation = (map: readonly number[]) =>
  expect([...map].sort((a, b) => a - b)).toEqual(map.map((_, i) => i));

/** An observation, [cells, planes], with each cell at its place. */
function mapped(observation: readonly number[], { cells }: Symmetry): number[] {
  const planes = observation.length / cells.length;
  const moved = Array.from({ length: observation.length }, () => 0);
  for (const [cell, place] of cells.entries())
    for (let plane = 0; plane < planes; plane++)
      moved[place * planes + plane] = observation[cell * planes + plane] as number;
  return moved;
}

describe.each(games)("$id", (rules) => {
  const { symmetries = [], action_space } = rules;
  const random = new Random({ seed: 1, stream: rules.id });

  test("its symmetries are distinct, and none is the identity", () => {
    for (const { cells, actions } of symmetries) {
      isPermutation(cells);
      isPermutation(actions);
      expect(actions.length).toBe(action_space.n);
    }
    const identity = (symmetries[0]?.cells ?? []).map((_, i) => i);
    const maps = new Set([identity, ...symmetries.map(({ cells }) => cells)].map((map) => map.join()));
    expect(maps.size).toBe(symmetries.length + 1);
  });

  test("moves and symmetries may be exchanged", () => {
    for (const symmetry of symmetries) {
      let [state, image] = [rules.start, rules.start];
      let plies = 0;
      while (plies++ < rules.max_moves && rules.returns(state) === null && rules.player(state) !== CHANCE) {
        const player = rules.player(state);
        expect(rules.player(image)).toBe(player);
        expect(rules.observe(image, player)).toEqual(mapped(rules.observe(state, player), symmetry));
        const legal = rules.legal(state);
        const places = legal.map((action) => symmetry.actions[action] as number);
        expect(rules.legal(image)).toEqual(places.toSorted((a, b) => a - b));
        const choice = random.integer(legal.length);
        state = rules.next(state, legal[choice] as number);
        image = rules.next(image, places[choice] as number);
      }
      expect(rules.returns(image)).toEqual(rules.returns(state));
    }
  });
});

test("boards have the symmetries that keep their first state", () => {
  const sizes = games.map(({ id, symmetries = [] }) => [id, symmetries.length + 1]);
  expect(Object.fromEntries(sizes)).toMatchObject({
    "rlkit/TicTacToe": 8,
    "rlkit/ConnectFour": 2,
    "rlkit/Gomoku9": 8,
    "rlkit/Othello6x6": 4,
    "rlkit/Othello": 4,
    "rlkit/Hex7": 2,
    "rlkit/Go5x5": 8,
  });
});
