/** A run's evolution as text for consoles. */
import { type EvolutionReport, SURVIVAL_GENERATIONS } from "./evolutionReport.ts";
import { alignedLines, formatCount, formatValue } from "./formatValue.ts";
import { gainText } from "./gain.ts";

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

const signed = (value: number): string => `${value > 0 ? "+" : ""}${formatValue(value)}`;

/** What mutations gained, one line for each kind; empty for a run without mutations. */
export function mutationLines({ mutations }: EvolutionReport): string[] {
  if (mutations.every(({ kind }) => kind === "none")) return [];
  const rows = mutations.map((outcome) => [
    outcome.kind,
    formatCount(outcome.number),
    gainText(outcome, signed) ?? "-",
    outcome.survival === null ? "-" : percent(outcome.survival),
  ]);
  const table = [
    ["mutation", "number", "gain over unmutated siblings", `alive ${SURVIVAL_GENERATIONS} generations on`],
    ...rows,
  ];
  return alignedLines(table);
}
