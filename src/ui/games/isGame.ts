import { environmentId } from "../../specs/messages.ts";
import { gameIds } from "../components/environmentGlyphs.ts";
import { manifestValue } from "../lib/manifestValues.ts";

/** Whether two players move in turn in an environment. */
export const isGameId = (id: string): boolean => gameIds.includes(environmentId(id));

/** Whether a manifest's agents play a game, so that their fitness is a rating. */
export function isGame(manifest: unknown): boolean {
  const id = manifestValue(manifest, "environment.name");
  return typeof id === "string" && isGameId(id);
}

/** What a run's fitness is called: in games it is a rating, in Elo points above random moves. */
export type FitnessWord = "fitness" | "rating";

export const fitnessWord = (manifest: unknown): FitnessWord => (isGame(manifest) ? "rating" : "fitness");
