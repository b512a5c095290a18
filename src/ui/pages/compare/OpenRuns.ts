import type { HistoryColumns } from "../../../workers/protocol.ts";
import { type FitnessWord, fitnessWord } from "../../games/fitnessWord.tsx";
import { configurationNames, manifestSeed, runNames } from "../../lib/configurations.ts";
import { flatConfig } from "../../lib/manifestValues.ts";
import { createUpdateClock } from "../../lib/updateClock.ts";
import { runColours } from "../../series/runColours.ts";
import { RunView } from "../../state/RunView.ts";
import type { RunViewState } from "../../state/RunViewState.ts";
import type { Workbench } from "../../state/Workbench.ts";

/** The current state of one compared run. */
export interface ComparedRun {
  readonly id: string;
  /** Among the compared runs, no two of which have the same; the id until the run is read. */
  readonly name: string;
  /** Name of its configuration: equal for runs that differ in their seeds alone. */
  readonly configuration: string;
  /** Null if unknown. */
  readonly seed: number | null;
  /** Index of its colour. */
  readonly colour: number;
  readonly view: RunViewState;
  /** Null until the history is read. */
  readonly columns: HistoryColumns | null;
  /** Why the history could not be read; null if there is no problem. */
  readonly problem: string | null;
}

/** What the fitness of runs is called: a rating where all are of games. */
export const wordOfRuns = (runs: readonly Pick<ComparedRun, "view">[]): FitnessWord =>
  runs.length > 0 && runs.every(({ view }) => fitnessWord(view) === "rating") ? "rating" : "fitness";

/** The runs with the names that tell them apart. */
export function named(runs: readonly Omit<ComparedRun, "name" | "configuration" | "seed">[]): ComparedRun[] {
  const read = runs.map(({ id, view: { summary, manifest } }) => ({
    name: summary?.name ?? id,
    config: flatConfig(manifest),
    seed: summary?.seed ?? manifestSeed(manifest),
  }));
  const names = runNames(read);
  const configurations = configurationNames(read.map(({ config }) => config));
  return runs.map((run, at) => ({
    ...run,
    name: names[at] ?? run.id,
    configuration: configurations[at] ?? "",
    seed: read[at]?.seed ?? null,
  }));
}

interface OpenRun {
  readonly session: RunView;
  readonly close: () => void;
}

/** Runs that are open together and followed live. A change of the choice opens and closes only what changes. */
export class OpenRuns {
  readonly #workbench: Pick<Workbench, "openRun">;
  readonly #onChange: (runs: readonly ComparedRun[]) => void;
  readonly #open = new Map<string, OpenRun>();
  readonly #clock = createUpdateClock(() => this.#tell());
  #ids: readonly string[] = [];

  /** @param onChange receives the chosen runs in their order, at most a few times a second */
  constructor(workbench: Pick<Workbench, "openRun">, onChange: (runs: readonly ComparedRun[]) => void) {
    this.#workbench = workbench;
    this.#onChange = onChange;
  }

  choose(ids: readonly string[]): void {
    this.#ids = ids;
    for (const [id, { close }] of this.#open) {
      if (ids.includes(id)) continue;
      close();
      this.#open.delete(id);
    }
    for (const id of ids) if (!this.#open.has(id)) this.#open.set(id, this.#opened(id));
    this.#tell();
  }

  close(): void {
    this.#clock.stop();
    for (const { close } of this.#open.values()) close();
    this.#open.clear();
  }

  #opened(id: string): OpenRun {
    const session = new RunView();
    const { history } = session;
    const ends = [
      session.view.subscribe(({ phase, version }, before) => {
        if (phase === "ready" && (version !== before.version || before.phase !== "ready"))
          void history.catchUp();
        this.#clock.request();
      }),
      history.state.subscribe(() => this.#clock.request()),
      this.#workbench.openRun(id, session),
    ];
    return {
      session,
      close: () => {
        for (const end of ends) end();
      },
    };
  }

  #tell(): void {
    const colours = runColours(this.#ids);
    const open = this.#ids.flatMap((id) => {
      const session = this.#open.get(id)?.session;
      if (session === undefined) return [];
      const { columns, state } = session.history;
      const colour = colours.get(id) ?? 0;
      return [{ id, colour, view: session.view.getState(), columns, problem: state.getState().problem }];
    });
    this.#onChange(named(open));
  }
}
