import type { Appearance } from "../../definition/Appearance.ts";
import type { CompiledEnvironment } from "../../definition/compiledEnvironment.ts";
import type { GameRules } from "../../face/GameRules.ts";
import { drawStones } from "../drawStones.ts";
import { inARow } from "../lines.ts";
import { gridOf, type RowGame } from "./rowRules.ts";
import { stoneGame } from "./stoneGame.ts";

/** A game of stones in a row as tensors. */
export function rowGame(
  game: RowGame,
  rules: GameRules,
  glyph: NonNullable<Appearance["glyph"]>,
): CompiledEnvironment {
  const grid = gridOf(game);
  const wins = (own: Parameters<typeof inARow>[0]) => inARow(own, grid, game.line);
  return stoneGame({ rules, grid, wins, draw: drawStones(grid), glyph });
}
