/** Two configurations against each other: differences between their runs of the same seeds. */
import {
  type Estimate,
  estimateOf,
  type Interval,
  intervalMethod,
  isEvidence,
} from "../../../tracking/history.ts";
import { formatChange, formatThings } from "../../lib/format.ts";
import { measuresOf, picked, shownName } from "./comparison.ts";
import { bySeeds, type SeededRuns } from "./configurationSeeds.ts";
import { commonRange } from "./curves.ts";
import { type ComparedRun, wordOfRuns } from "./OpenRuns.ts";

/** One number of a run. */
interface Score {
  readonly name: string;
  readonly isFitness: boolean;
  /** NaN for a run without it. */
  readonly of: (run: ComparedRun) => number;
}

const CHAMPION: Score = {
  name: "champion's final evaluation",
  isFitness: true,
  of: ({ view }) => view.summary?.champion?.fitness ?? Number.NaN,
};

/**
 * The numbers by which runs can be compared: the champion's where all have one, then the last one of each measure. A
 * running maximum is the luckiest evaluation, and is none.
 */
export function scoresOf(runs: readonly ComparedRun[]): readonly Score[] {
  const measures = measuresOf(runs.flatMap(({ columns }) => columns ?? []))
    .filter(({ isRunning }) => !isRunning)
    .map(
      ({ name, isFitness, of }): Score => ({
        name: `last ${name}`,
        isFitness,
        of: ({ columns }) => (columns === null ? Number.NaN : picked(of(columns), "last")),
      }),
    );
  return runs.every((run) => Number.isFinite(CHAMPION.of(run))) ? [CHAMPION, ...measures] : measures;
}

/** The numbers of both sides with one seed. */
interface PairedSeed {
  readonly seed: number;
  readonly a: number;
  readonly b: number;
  /** A minus B. */
  readonly difference: number;
}

/** Two configurations of runs, and their differences. */
export interface Pairing {
  readonly a: SeededRuns;
  readonly b: SeededRuns;
  /** Name of the score. */
  readonly score: string;
  /** That name as shown. */
  readonly shown: string;
  /** In the order of seeds. */
  readonly seeds: readonly PairedSeed[];
  /** Of the differences; null for none. */
  readonly estimate: Estimate | null;
  /** What the data allow to say, in sentences. */
  readonly verdict: string;
}

const environmentOf = ({ runs }: SeededRuns): string => runs[0]?.view.summary?.environment ?? "";

/** Configurations that can be on the sides of a pairing. */
export const sidesOf = (runs: readonly ComparedRun[]): readonly SeededRuns[] =>
  bySeeds(runs.filter(({ columns, seed }) => columns !== null && columns.generations > 0 && seed !== null));

/** Whether two configurations of an environment have runs with the same seeds, and one has several. */
export const canPair = (runs: readonly ComparedRun[]): boolean => {
  const sides = sidesOf(runs);
  const places = new Set(sides.map(environmentOf));
  return places.size < sides.length && sides.some((side) => side.runs.length > 1);
};

/** The side that has a run. */
const sideWith = (sides: readonly SeededRuns[], id: string | undefined): SeededRuns | undefined =>
  sides.find(({ runs }) => runs.some((run) => run.id === id));

/** What a pairing compares. */
export interface PairChoice {
  /** Ids of a run of each side; others than those of the compared runs for the first ones that fit. */
  readonly sides: readonly string[];
  /** Name of the score; "" or an unknown one for the first. */
  readonly measure: string;
}

/** Pairs two configurations of runs; null if there are not two. */
export function pairingOf(runs: readonly ComparedRun[], choice: PairChoice): Pairing | null {
  const sides = sidesOf(runs);
  const [first, second] = choice.sides;
  const a = sideWith(sides, first) ?? sides[0];
  const others = sides.filter((side) => side !== a);
  const b =
    sideWith(others, second) ??
    others.find((side) => a !== undefined && environmentOf(side) === environmentOf(a)) ??
    others[0];
  if (a === undefined || b === undefined) return null;
  const scores = scoresOf([...a.runs, ...b.runs]);
  const score = scores.find(({ name }) => name === choice.measure) ?? scores[0];
  if (score === undefined) return null;
  const seeds = a.runs
    .flatMap((run): PairedSeed[] => {
      const other = b.runs.find(({ seed }) => seed === run.seed);
      if (other === undefined || run.seed === null) return [];
      const [own, theirs] = [score.of(run), score.of(other)];
      const difference = own - theirs;
      return Number.isFinite(difference) ? [{ seed: run.seed, a: own, b: theirs, difference }] : [];
    })
    .sort((one, next) => one.seed - next.seed);
  const within = score.isFitness ? differenceRange(commonRange([...a.runs, ...b.runs])) : undefined;
  const estimate =
    seeds.length === 0
      ? null
      : estimateOf(
          seeds.map(({ difference }) => difference),
          within,
        );
  const shown = shownName(score, wordOfRuns([...a.runs, ...b.runs]));
  const made = { a, b, score: score.name, shown, seeds, estimate };
  return { ...made, verdict: verdictOf(made) };
}

const differenceRange = (range: Interval | undefined): Interval | undefined =>
  range && [range[0] - range[1], range[1] - range[0]];

/** What paired differences allow to say. */
function verdictOf({ a, b, seeds, estimate }: Omit<Pairing, "verdict">): string {
  if (environmentOf(a) !== environmentOf(b))
    return "A and B train in different environments, whose scores cannot be compared.";
  if (estimate === null) return "A and B share no seed. Train both with the same seeds to compare them.";
  const { value, interval } = estimate;
  const change = `${estimate.of} of A minus B is ${formatChange(value)}`;
  const method = intervalMethod(seeds.length);
  const open = [...a.runs, ...b.runs].filter(({ view }) => view.summary?.state !== "finished").length;
  const caveat = open === 0 ? "" : ` Not finished: ${formatThings(open, "run")}.`;
  if (interval === null || method === null)
    return `Not enough evidence: the ${change} over ${formatThings(seeds.length, "seed")}, and an interval needs three.${caveat}`;
  const told = `The ${change} over ${seeds.length} seeds, with a 95 % interval of ${formatChange(interval[0])} to ${formatChange(interval[1])} (${method})`;
  return isEvidence(interval)
    ? `${told}: A is ${value > 0 ? "higher" : "lower"} than B.${caveat}`
    : `${told}: not enough evidence that A and B differ.${caveat}`;
}
