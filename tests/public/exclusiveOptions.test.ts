/** Options that exclude each other do so in their types; the compiler checks this file. */
import { expect, it } from "vitest";
import {
  LocalTrainer,
  type LoopOptions,
  type ManifestOptions,
  type OffPolicyOptions,
  TournamentSelection,
  type TrainerOptions,
} from "../../src/index.ts";

const run = { algorithm: "DQN", environment: "CartPole-v1" } as const;
const selection = new TournamentSelection({ tournament_size: 2, elitism: true, population_size: 4 });

it("refuses both ways to start, in types and when called", () => {
  // @ts-expect-error -- One of them.
  const both: TrainerOptions = { ...run, resume_from_checkpoint: "a", load_weights_from: "b" };
  expect(() => new LocalTrainer(both)).toThrow(/exclude each other/);
  // @ts-expect-error -- One of them.
  const beside: ManifestOptions = { resume_from_checkpoint: "a", load_weights_from: "b" };
  expect(beside).toBeDefined();
});

it("refuses a selection under both names, in types and where they differ", () => {
  const tournament = { tournament_size: 3, elitism: true };
  // @ts-expect-error -- One of them.
  const both: TrainerOptions = {
    ...run,
    tournament,
    selection_strategy: { tournament_size: 2, elitism: true },
  };
  expect(() => new LocalTrainer(both)).toThrow(/both given and differ/);
  // @ts-expect-error -- One of them.
  const loop: Partial<LoopOptions> = {
    tournament: selection,
    selection_strategy: selection,
  };
  expect(loop).toBeDefined();
});

it("knows the algorithms' names, and takes others", () => {
  const own: TrainerOptions["algorithm"] = "MyOwn";
  const known: OffPolicyOptions["algo"] = "RainbowDQN";
  expect([own, known]).toHaveLength(2);
  // @ts-expect-error -- A section has fields.
  const network: TrainerOptions = { ...run, network: 5 };
  expect(() => new LocalTrainer(network)).toThrow(/network/);
});
