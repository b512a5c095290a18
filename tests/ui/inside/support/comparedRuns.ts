import { type ComparedRun, named } from "../../../../src/ui/pages/compare/OpenRuns.ts";
import { EMPTY_VIEW } from "../../../../src/ui/state/RunViewState.ts";
import { fakeSummary } from "../../support/fakeSummary.ts";
import { historyOf } from "../../support/histories.ts";
import { generationReport } from "../../support/reports.ts";

interface Fake {
  readonly lr: number;
  readonly seed: number;
  readonly name?: string;
  readonly environment?: string;
  /** Fitness of the best of each generation. Defaults to 1, 2, 3. */
  readonly best?: readonly number[];
}

/** Finished runs of DQN as a comparison has them, with colours in their order. */
export const comparedRuns = (fakes: readonly Fake[]): readonly ComparedRun[] =>
  named(
    fakes.map(({ lr, seed, environment = "CartPole-v1", best = [1, 2, 3], ...fake }, at) => {
      const manifest = { algorithm: { name: "DQN", lr }, environment: { name: environment } };
      const name = fake.name ?? `DQN ${environment}`;
      const summary = fakeSummary({ id: `run-${at}`, name, seed, environment, state: "finished" });
      return {
        id: summary.id,
        colour: at % 8,
        view: { ...EMPTY_VIEW, phase: "ready", summary, manifest } as const,
        columns: historyOf(best.map((value, row) => generationReport(row + 1, [0, value]))),
        problem: null,
      };
    }),
  );
