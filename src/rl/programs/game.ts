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

/** The game of an environment. @throws RangeError naming the environment, if it is not a game. */
export function gameOf({ id, game }: CompiledEnvironment): GameFace {
  if (game) return game;
  throw new RangeError(
    `${id}: found an environment of one agent, allowed games of two players who take turns`,
  );
}

/** What keeps a search from looking ahead in a game; null if nothing does. */
export function unsearchable({ resetDraws, stepDraws, game }: CompiledEnvironment): string | null {
  const { seenBy, ticks_per_second } = game?.rules ?? {};
  const found = [
    ...(resetDraws + stepDraws > 0 ? ["has chance"] : []),
    ...(seenBy || ticks_per_second !== undefined ? ["hides information from its players"] : []),
  ];
  return found.join(" and ") || null;
}
