import { LocalTrainer, type TrainerOptions } from "../../../src/training/index.ts";

/** Makes a trainer of options that types may refuse, as callers in JavaScript write them. */
export const refusal =
  (options: object): (() => LocalTrainer) =>
  () =>
    new LocalTrainer(options as TrainerOptions);
