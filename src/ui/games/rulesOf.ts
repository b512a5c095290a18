import { findEnvironment, type GameRules, isCompiled } from "../../rl/environments.ts";
import type { EnvironmentOptions } from "../../rl/faces.ts";

/** The rules of a game; null for environments that are none, for unknown ones and for unknown options. */
export function rulesOf(id: string, options: EnvironmentOptions = {}): GameRules | null {
  try {
    const found = findEnvironment(id, options);
    return isCompiled(found) ? (found.game?.rules ?? null) : null;
  } catch {
    return null;
  }
}
