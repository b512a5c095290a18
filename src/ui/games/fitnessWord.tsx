import { createContext, useContext } from "react";
import type { RunViewState } from "../state/RunViewState.ts";
import { playsGame } from "./isGame.ts";

/** What a run's fitness is called: in games it is a rating, in Elo points above random moves. */
export type FitnessWord = "fitness" | "rating";

export const fitnessWord = (run: Pick<RunViewState, "manifest" | "latest">): FitnessWord =>
  playsGame(run) ? "rating" : "fitness";

/** As in headings. */
export const headOf = (word: FitnessWord): "Fitness" | "Rating" => (word === "rating" ? "Rating" : "Fitness");

/** The word of the shown run. */
export const FitnessWordContext = createContext<FitnessWord>("fitness");

export const useFitnessWord = (): FitnessWord => useContext(FitnessWordContext);

/** The word of the shown run, amid a sentence. */
export const Fitness = () => useFitnessWord();
