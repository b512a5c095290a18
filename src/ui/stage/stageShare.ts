import { trainingCores } from "../lib/capabilities.ts";

/** Of the time of all training threads. */
const BESIDE_TRAINING = 0.1;
/** Of the time of the stage's own thread. */
const MOST = 0.5;

/** The part of one thread's time that a stage may take: where it trains, a tenth of what trains. */
export const stageShare = (training: boolean): number =>
  training ? Math.min(MOST, BESIDE_TRAINING * trainingCores()) : MOST;
