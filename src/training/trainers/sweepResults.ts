/** What the runs of a sweep reached: a row for each run, and means over the seeds of each setting. */
import { mean } from "../../evolution/members.ts";
import { settingText } from "../../manifests/algorithms.ts";
import type { Setting, SweepRun } from "../../manifests/index.ts";
import { csvLine, csvNumber } from "../../tracking/clients.ts";
import { meanInterval } from "../../tracking/history.ts";
import type { TrainingEvent, TrainingObserver } from "../../tracking/observer.ts";

/** The result of one run of a sweep. */
export interface SweepRow extends Pick<SweepRun, "name" | "setting" | "seed"> {
  /**
   * Mean return of the champion in the final evaluation, without one the best of the last generation. Null for a run
   * that failed, or without an evaluation.
   */
  readonly fitness: number | null;
  /** Environment steps of the population. */
  readonly steps: number;
  /** Wall-clock seconds of its generations. */
  readonly seconds: number;
  /** Why it failed; null if it did not. */
  readonly error: string | null;
}

/** The runs of one setting. */
export interface SweepGroup {
  /** The setting in words; "" for a sweep over seeds alone. */
  readonly name: string;
  readonly setting: Setting;
  /** Number of runs with a fitness. */
  readonly n: number;
  /** Number of runs that failed. */
  readonly failed: number;
  /** Mean fitness of its runs; null for none. */
  readonly mean: number | null;
  /** 95 % interval of the mean by Student's t; null for fewer than two runs. */
  readonly interval: readonly [low: number, high: number] | null;
}

/** Follows a run, and tells its result. */
export class RunResult implements TrainingObserver {
  readonly episodes = false;
  #seconds: number;
  #steps = 0;
  #last: number | null = null;
  #champion: number | null = null;

  /** @param seconds Of the run before it was resumed. */
  constructor(seconds = 0) {
    this.#seconds = seconds;
  }

  readonly on = (event: TrainingEvent): void => {
    if (event.event === "champion") this.#champion = event.fitness;
    if (event.event !== "generation" && event.event !== "end") return;
    this.#steps = event.global_step;
    const known = event.fitnesses.filter((fitness) => Number.isFinite(fitness));
    if (known.length > 0) this.#last = Math.max(...known);
    if (event.event === "generation") this.#seconds += event.seconds;
  };

  get numbers(): Pick<SweepRow, "fitness" | "steps" | "seconds"> {
    return { fitness: this.#champion ?? this.#last, steps: this.#steps, seconds: this.#seconds };
  }
}

/**
 * Means over the seeds of each setting, in the order of the rows.
 *
 * @example
 * ```ts
 * const { rows } = await trainSweep({ manifest: "ppo-cartpole", seeds: "1..5" }, { verbose: false });
 * const [all] = sweepGroups(rows);
 * console.log(all?.mean, all?.interval);
 * ```
 */
export function sweepGroups(rows: readonly SweepRow[]): readonly SweepGroup[] {
  const groups = new Map<string, SweepRow[]>();
  for (const row of rows) {
    const key = JSON.stringify(row.setting);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((members): SweepGroup => {
    const known = members.flatMap(({ fitness, error }) =>
      fitness === null || error !== null ? [] : [fitness],
    );
    const setting = members[0]?.setting ?? {};
    return {
      name: settingText(setting),
      setting,
      n: known.length,
      failed: members.filter(({ error }) => error !== null).length,
      mean: known.length > 0 ? mean(known) : null,
      interval: known.length > 1 ? meanInterval(known) : null,
    };
  });
}

/**
 * The rows as a CSV file: a column for each swept field, then seed, fitness, steps, seconds and error.
 *
 * @example
 * ```ts
 * const { rows } = await trainSweep({ manifest: "ppo-cartpole", seeds: "1..5" }, { verbose: false });
 * console.log(sweepCsv(rows));
 * ```
 */
export function sweepCsv(rows: readonly SweepRow[]): string {
  const fields = [...new Set(rows.flatMap(({ setting }) => Object.keys(setting)))];
  const text = (value: unknown): string =>
    value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return [
    [...fields, "seed", "fitness", "steps", "seconds", "error"],
    ...rows.map(({ setting, seed, fitness, steps, seconds, error }) => [
      ...fields.map((field) => text(setting[field])),
      text(seed),
      csvNumber(fitness ?? Number.NaN),
      csvNumber(steps),
      csvNumber(Number(seconds.toFixed(3))),
      error ?? "",
    ]),
  ]
    .map(csvLine)
    .join("");
}
