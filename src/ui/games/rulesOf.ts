import { findEnvironment, type GameRules, isCompiled } from "../../rl/environments.ts";

/** The rules of a game; null for environments that are none, and for unknown ones. */
export function rulesOf(id: string): GameRules | null {
  try {
    const found = findEnvironment(id);
    return isCompiled(found) ? (found.game?.rules ?? null) : null;
  } catch {
    return null;
  }
}
