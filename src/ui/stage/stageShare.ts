import { trainingCores } from "../lib/capabilities.ts";

/** Share of the time of all training threads. */
const BESIDE_TRAINING = 0.1;
/** Share of the time of the stage's own thread. */
const MOST = 0.5;

/**
 * Share of one thread's time that a stage may use: half, or during training at most a tenth of the training
 * threads' time.
 */
export const stageShare = (training: boolean): number =>
  training ? Math.min(MOST, BESIDE_TRAINING * trainingCores()) : MOST;
