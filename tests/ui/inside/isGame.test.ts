import { expect, it } from "vitest";
import { mayBeGame } from "../../../src/ui/games/isGame.ts";

it.each([
  [{ name: "rlkit/TicTacToe" }, true],
  [{ name: "user/nim" }, true],
  [{ name: "Nim", path: "nim.js" }, true],
  [{ name: "CartPole-v1" }, false],
  [{}, false],
])("fields of games are shown for %j: %s", (environment, shown) => {
  expect(mayBeGame({ environment })).toBe(shown);
});
