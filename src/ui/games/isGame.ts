import { environmentId } from "../../specs/messages.ts";
import { isUserEnvironment } from "../../specs/sections.ts";
import { gameIds } from "../components/environmentGlyphs.ts";
import { manifestValue } from "../lib/manifestValues.ts";
import type { RunViewState } from "../state/RunViewState.ts";
import type { FitnessWord } from "./fitnessWord.tsx";

/** Whether two players move in turn in an environment. */
export const isGameId = (id: string): boolean => gameIds.includes(environmentId(id));

/** What the fitness of agents of an environment is called. */
export const wordIn = (id: string): FitnessWord => (isGameId(id) ? "rating" : "fitness");

/** Whether a run's members play a game: one of rlkit's, or one in code, whose reports have a league. */
export const playsGame = ({ manifest, latest }: Pick<RunViewState, "manifest" | "latest">): boolean =>
  isGame(manifest) || latest?.league !== undefined;

/** Whether a manifest's agents may play a game: only its sandbox tells whether code is one. */
export const mayBeGame = (manifest: unknown): boolean => {
  const id = manifestValue(manifest, "environment.name");
  return (
    isGame(manifest) ||
    (typeof id === "string" && isUserEnvironment(id)) ||
    typeof manifestValue(manifest, "environment.path") === "string"
  );
};

/** Whether a manifest's agents play a game, so that their fitness is a rating. */
export function isGame(manifest: unknown): boolean {
  const id = manifestValue(manifest, "environment.name");
  return typeof id === "string" && isGameId(id);
}
