/** Curves of several runs: a chart for each environment. */
import { type Interval, intervalMethod } from "../../../tracking/history.ts";
import type { PlotEntry, PlotModel } from "../../components/plot/PlotModel.ts";
import { slotToken } from "../../components/plot/plotTheme.ts";
import { formatCount, formatHyperparameter } from "../../lib/format.ts";
import { returnRange } from "../../lib/returnRanges.ts";
import type { ChartAxis } from "../../routes/route.ts";
import { positionsOf } from "../../series/historyCells.ts";
import { formatPosition } from "../../series/scales.ts";
import { type Measure, measuresOf, overlay, shownName } from "./comparison.ts";
import { bySeeds } from "./configurationSeeds.ts";
import { type ComparedRun, wordOfRuns } from "./OpenRuns.ts";
import { meanOf, seedText, type Values } from "./seedMeans.ts";

/** Runs by environment, in the order of the first run of each. */
function byEnvironment(runs: readonly ComparedRun[]): ReadonlyMap<string, readonly ComparedRun[]> {
  const groups = new Map<string, ComparedRun[]>();
  for (const run of runs) {
    const environment = run.view.summary?.environment ?? "";
    groups.set(environment, [...(groups.get(environment) ?? []), run]);
  }
  return groups;
}

/** A line for each run. */
const runLines = (runs: readonly ComparedRun[], lines: readonly Values[]): Pick<PlotModel, "lines"> => ({
  lines: runs.map(({ id, name, colour }, at) => ({
    label: name,
    group: id,
    values: lines[at] ?? [],
    colour: slotToken(colour),
    width: 2,
  })),
});

/** The mean over the seeds of each configuration, with its interval, or with the seeds' values if they are few. */
function seedLines(
  runs: readonly ComparedRun[],
  x: readonly number[],
  lines: readonly Values[],
  within: Interval | undefined,
): Pick<PlotModel, "lines" | "bands" | "dots"> {
  const groups = bySeeds(runs).map(({ name, colour, runs: members }) => {
    const own = members.map((run) => lines[runs.indexOf(run)] ?? []);
    return {
      label: `${name} (n = ${members.length})`,
      slot: colour,
      colour: slotToken(colour),
      own,
      isFew: members.length > 1 && intervalMethod(members.length) === null,
      ...meanOf(x, own, within),
    };
  });
  return {
    lines: groups.flatMap(({ label, colour, mean, low, high }) => [
      { label, group: label, values: mean, colour, width: 2 },
      { label: `${label} low`, group: label, values: low, colour, width: 0 },
      { label: `${label} high`, group: label, values: high, colour, width: 0 },
    ]),
    bands: groups.map(({ label, colour }, at) => ({
      between: [3 * at + 2, 3 * at + 1],
      colour,
      opacity: BAND,
      group: label,
    })),
    dots: groups
      .filter(({ isFew }) => isFew)
      .map(({ label, slot, own }) => {
        const points = own.flatMap((line) =>
          line.flatMap((value, at) => (value === null ? [] : [[x[at] ?? Number.NaN, value] as const])),
        );
        return {
          label: "value of a seed",
          x: points.map(([position]) => position),
          y: points.map(([, value]) => value),
          colours: points.map(() => slot),
          radius: 2.5,
          group: label,
        };
      }),
  };
}

/** Opacity of an interval. */
const BAND = 0.2;

/** One measure of some runs on common axes. */
function modelOf(
  runs: readonly ComparedRun[],
  measure: Measure,
  { axis }: Pick<CurveChoice, "axis">,
  means: { readonly within: Interval | undefined } | null,
): PlotModel {
  const { x, lines } = overlay(
    runs.flatMap(({ columns }) =>
      columns === null ? [] : [{ x: positionsOf(columns, axis), y: measure.of(columns) }],
    ),
  );
  return {
    ...(means === null ? runLines(runs, lines) : seedLines(runs, x, lines, means.within)),
    axis,
    valueLabel: shownName(measure, wordOfRuns(runs)),
    x,
    joined: true,
    format: formatHyperparameter,
    formatX: axis === "generation" ? formatCount : formatPosition[axis],
  };
}

/** What curves show. */
export interface CurveChoice {
  /** Name of the measure; "" or an unknown one for the first. */
  readonly measure: string;
  readonly axis: ChartAxis;
  /** Whether lines are means over the seeds of each configuration, where runs differ in seeds alone. */
  readonly seeds: boolean;
}

/** The curves of all runs in one environment. */
export interface CurveChart {
  readonly title: string;
  readonly environment: string;
  /** Number of runs. */
  readonly runs: number;
  readonly model: PlotModel;
  /** What lines and bands are, in sentences; "" for lines of single runs. */
  readonly note: string;
  readonly legend: readonly PlotEntry[];
}

/** Curves of runs, and what they can be of. */
export interface Curves {
  readonly charts: readonly CurveChart[];
  /** Names of measures, and as shown. */
  readonly measures: readonly (readonly [name: string, shown: string])[];
  readonly measure: string;
  /** Whether some runs differ in their seeds alone. */
  readonly hasSeeds: boolean;
  /** Whether lines are means over them. */
  readonly seeds: boolean;
}

const legendOf = ({ lines }: PlotModel): PlotEntry[] =>
  lines
    .filter(({ width }) => width > 0)
    .map(({ label, group, colour }) => ({ label, group: group ?? label, mark: "line", colour }));

/** The possible returns of runs, if they are the same for all. */
export function commonRange(runs: readonly ComparedRun[]): Interval | undefined {
  const [first, ...others] = runs.map(({ view }) => returnRange(view.manifest));
  return others.every((other) => other === first) ? first : undefined;
}

/** The curves of those runs that have completed a generation. */
export function curvesOf(runs: readonly ComparedRun[], choice: CurveChoice): Curves {
  const read = runs.filter(({ columns }) => columns !== null && columns.generations > 0);
  const measures = measuresOf(read.flatMap(({ columns }) => columns ?? []));
  const measure = measures.find(({ name }) => name === choice.measure) ?? measures[0];
  const hasSeeds = bySeeds(read).some(({ runs: members }) => members.length > 1);
  const seeds = hasSeeds && choice.seeds;
  // Scores of different environments have nothing in common, so each environment has its own axis.
  const groups = measure === undefined ? [] : [...byEnvironment(read)];
  const charts = groups.flatMap(([environment, own]): CurveChart[] => {
    if (measure === undefined) return [];
    const within = measure.isFitness ? commonRange(own) : undefined;
    const model = modelOf(own, measure, choice, seeds ? { within } : null);
    const shown = shownName(measure, wordOfRuns(own));
    const title = groups.length > 1 ? `${shown} in ${environment}` : shown;
    const counts = bySeeds(own).map(({ runs: members }) => members.length);
    const note = seeds ? seedText(counts, within) : "";
    return [{ title, environment, runs: own.length, model, note, legend: legendOf(model) }];
  });
  return {
    charts,
    measures: measures.map((one) => [one.name, shownName(one, wordOfRuns(read))]),
    measure: measure?.name ?? "",
    hasSeeds,
    seeds,
  };
}
