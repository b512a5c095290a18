/** What programs read of a game. */
import type { Tensor } from "../../kernels/index.ts";
import type {
  CompiledEnvironment,
  EnvState,
  GameFace,
} from "../environments/definition/compiledEnvironment.ts";

/** Legal moves, f32 [n, actions]. @throws TypeError for an environment without a mask. */
export const legalIn = (env: CompiledEnvironment, state: EnvState): Tensor => {
  const mask = env.actionMask?.(state);
  if (!mask) throw new TypeError(`${env.id}: a game needs an action mask`);
  return mask;
};

/**
 * The game of an environment.
 * @throws RangeError naming the environment, if it is not a game, or if a player's consecutive moves are unbounded.
 */
export function gameOf({ id, game }: CompiledEnvironment): GameFace {
  const found =
    game === undefined ? "an environment of one agent" : "a game without a bound of moves in a row";
  if (game && Number.isFinite(movesInARow(game))) return game;
  throw new RangeError(`${id}: found ${found}, allowed games of two players who take turns`);
}

export const movesInARow = ({ rules }: GameFace): number => rules.moves_in_a_row ?? 1;

/** What keeps a search from looking ahead in a game; null if nothing does. */
export function unsearchable({ resetDraws, stepDraws, game }: CompiledEnvironment): string | null {
  const { seenBy, ticks_per_second } = game?.rules ?? {};
  const found = [
    ...(resetDraws + stepDraws > 0 ? ["has chance"] : []),
    ...(seenBy || ticks_per_second !== undefined ? ["hides information from its players"] : []),
  ];
  return found.join(" and ") || null;
}
