/** What a run's reports say of its evolution: evaluations played, mutations that paid, diversity. */
import type { HyperparameterScale } from "../specs/sections.ts";
import { formatCount, formatValue } from "./formatValue.ts";
import { MUTATION_KINDS, type MutationKind } from "./mutationKind.ts";

/** Generations after which a mutation counts as survived or not. */
export const SURVIVAL_GENERATIONS = 5;

/** A kind of mutation; "explore" is that of truncation selection, which moves all hyperparameters of a copy. */
export type OutcomeKind = MutationKind | "explore";

/** All kinds, in the order in which reports list them. */
export const OUTCOME_KINDS: readonly OutcomeKind[] = [...MUTATION_KINDS, "explore"];

/** What became of the members that began a generation with one kind of mutation, or with none. */
export interface MutationOutcome {
  readonly kind: OutcomeKind;
  /** Members that began a generation so; a member counts once for each of its generations. */
  readonly number: number;
  /**
   * Mean of their first fitness minus that of their parent at the same boundary, or minus the parent's last one
   * if it is no longer a member. A member that keeps its identity is its own parent. Null if none is known.
   */
  readonly gain: number | null;
  /**
   * Share that has a living descendant or is one, {@link SURVIVAL_GENERATIONS} generations later or at the last
   * one: 0 to 1; null before the next generation.
   */
  readonly survival: number | null;
}

/** How the living members differ in one hyperparameter. */
export interface HyperparameterDiversity {
  /** Number of different values. */
  readonly distinct: number;
  /** Part of the range, on its scale, between the lowest and the highest value: 0 to 1. */
  readonly spread: number;
}

/** A run's evolution up to a generation. It follows from the reports of the generations. */
export interface EvolutionReport {
  /** First generation that counts: 1, or a later one if the run was resumed without its earlier reports. */
  readonly since: number;
  /** Episodes played in evaluations in this generation; null if they are not counted. */
  readonly episodes: number | null;
  /** Episodes played in evaluations so far, in the end with those of the final evaluation; null if unknown. */
  readonly total_episodes: number | null;
  /** Members that do not rest. */
  readonly members: number;
  /** Members of the first counted generation that they descend from; null if reports in between are lost. */
  readonly ancestors: number | null;
  /** Diversity of the hyperparameters that have a range, by name. */
  readonly hyperparameters: Readonly<Record<string, HyperparameterDiversity>>;
  /** The kinds of mutation that occurred. */
  readonly mutations: readonly MutationOutcome[];
}

/** The range of a hyperparameter, and the scale on which its values are apart. */
export interface DiversityRange {
  readonly min: number;
  readonly max: number;
  readonly scale?: HyperparameterScale | undefined;
  readonly initial?: string | undefined;
}

/** Ranges by hyperparameter. */
export type DiversityRanges = Readonly<Record<string, DiversityRange>>;

/** The diversity of values in a range; null without values. */
export function diversityOf(
  values: readonly number[],
  { min, max, scale = "linear", initial }: DiversityRange,
): HyperparameterDiversity | null {
  if (values.length === 0) return null;
  const logarithmic = scale === "log" || (scale === "linear" && initial === "log_uniform");
  const onScale = (value: number): number => {
    const within = Math.min(Math.max(value, min), max);
    return scale === "one_minus" ? -Math.log(1 - within) : logarithmic ? Math.log(within) : within;
  };
  const places = values.map(onScale);
  const length = onScale(max) - onScale(min);
  const apart = Math.max(...places) - Math.min(...places);
  return { distinct: new Set(values).size, spread: length > 0 ? Math.min(1, apart / length) : 0 };
}

const percent = (share: number): string => `${Math.round(100 * share)} %`;

/** Evaluations and diversity in one line, for consoles: of a generation, or of a run at its end. */
export function evolutionText(report: EvolutionReport, of: "generation" | "run" = "generation"): string {
  const { episodes, total_episodes, members, ancestors, hyperparameters, since } = report;
  const here = of === "generation" ? ` (${formatCount(episodes ?? 0)} here)` : "";
  const from = since > 1 ? ` since generation ${since}` : "";
  const spreads = Object.entries(hyperparameters).filter(([, { distinct }]) => distinct > 1);
  return [
    ...(total_episodes === null ? [] : [`${formatCount(total_episodes)} evaluation episodes${from}${here}`]),
    ...(ancestors === null
      ? []
      : [`${ancestors} ${ancestors === 1 ? "ancestor" : "ancestors"} of ${members} members`]),
    ...(spreads.length === 0
      ? []
      : [`spread: ${spreads.map(([name, { spread }]) => `${name} ${percent(spread)}`).join(", ")}`]),
  ].join(" · ");
}

/** Which mutations paid, one line for each kind; empty for a run without mutations. */
export function mutationLines({ mutations }: EvolutionReport): string[] {
  if (mutations.every(({ kind }) => kind === "none")) return [];
  const rows = mutations.map(({ kind, number, gain, survival }) => [
    kind,
    formatCount(number),
    gain === null ? "-" : `${gain > 0 ? "+" : ""}${formatValue(gain)}`,
    survival === null ? "-" : percent(survival),
  ]);
  const table = [
    ["mutation", "number", "fitness gain", `alive ${SURVIVAL_GENERATIONS} generations on`],
    ...rows,
  ];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...table.map((row) => row[at]?.length ?? 0)));
  return table.map((row) =>
    row
      .map((text, at) => (at === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[at] ?? 0)))
      .join("  "),
  );
}
