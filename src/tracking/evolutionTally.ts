/** Derives a run's evolution from the reports of its generations. */
import { fitnessError } from "../evolution/members.ts";
import { type HyperparameterScale, isLogarithmic } from "../specs/sections.ts";
import {
  type EvolutionCounter,
  type EvolutionReport,
  type HyperparameterDiversity,
  OUTCOME_KINDS,
  type OutcomeKind,
  SURVIVAL_GENERATIONS,
} from "./evolutionReport.ts";
import { type Change, type Evaluation, type Gain, GainSum, gainsOf } from "./gain.ts";
import { mutationKindAt } from "./mutationKind.ts";
import type { MemberReport } from "./observer.ts";

/** The part of a member's report that counts; older reports lack some of it. */
export type TallyMember = Partial<
  Pick<MemberReport, "index" | "parent" | "steps" | "mutation" | "mutation_detail" | "hyperparameters">
> & {
  readonly evaluation?: {
    readonly returns: ArrayLike<number>;
    /** Standard error of their mean (default: from the returns). */
    readonly error?: number;
  };
};

/** A generation's report, or what is known of it. Without members, or their identities, its report is lost. */
export interface TallyRow {
  readonly generation: number;
  readonly fitnesses: readonly number[];
  readonly members?: readonly TallyMember[] | undefined;
  readonly lineage?: readonly unknown[];
}

/** What a member's next fitness is compared with. */
interface Since extends Pick<Change, "origin" | "from"> {
  /** The last mutation since then. */
  readonly kind: OutcomeKind;
}

/** A member in one generation. */
interface Cell {
  readonly index: number;
  readonly label: string;
  readonly kind: OutcomeKind;
  readonly evaluation: Evaluation;
  readonly steps: number;
  readonly rests: boolean;
  /** Its ancestor in the first generation; null if unknown. */
  readonly founder: number | null;
  readonly hyperparameters: Readonly<Record<string, number>>;
  /** Null before the first evaluation of its line. */
  readonly since: Since | null;
  /** The same member or its parent in the generation before; null for none, and beyond the window. */
  before: Cell | null;
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
  const logarithmic = scale === "log" || (scale === "linear" && isLogarithmic(initial));
  const onScale = (value: number): number => {
    const within = Math.min(Math.max(value, min), max);
    // Half of it, because a range may be longer than f64 goes.
    return scale === "one_minus" ? -Math.log(1 - within) : logarithmic ? Math.log(within) : within / 2;
  };
  const places = values.map(onScale);
  const length = onScale(max) - onScale(min);
  const apart = Math.max(...places) - Math.min(...places);
  return { distinct: new Set(values).size, spread: length > 0 ? Math.min(1, apart / length) : 0 };
}

interface Sums {
  number: number;
  readonly gains: GainSum;
  judged: number;
  survived: number;
}

const noSums = (): Sums => ({ number: 0, gains: new GainSum(), judged: 0, survived: 0 });

/**
 * Counts generations as they end. It holds the last few generations only, so a long run costs no more memory.
 */
export class EvolutionTally implements EvolutionCounter {
  readonly #sums = new Map(OUTCOME_KINDS.map((kind) => [kind, noSums()]));
  /** The last generations, newest last. */
  readonly #window: (readonly Cell[])[] = [];
  #since = 0;
  #episodes: number | null = null;
  #total: number | null = 0;
  #isWhole = true;
  #gains: readonly (Gain | null)[] = [];

  /** The gains of the last generation's mutations, by slot; null for none, and empty if its report is lost. */
  get gains(): readonly (Gain | null)[] {
    return this.#gains;
  }

  /** Adds the next generation. */
  add({ generation, fitnesses, members = [], lineage }: TallyRow): this {
    const isLost = members.every(({ index }) => index === undefined);
    if (this.#since === 0) this.#since = generation;
    this.#episodes = isLost ? null : sum(members.map((member, slot) => episodesOf(member, fitnesses[slot])));
    this.addEpisodes(this.#episodes);
    if (isLost) {
      this.#isWhole = false;
      this.#window.length = 0;
      this.#gains = [];
      return this;
    }
    const before = new Map(this.#window.at(-1)?.map((cell) => [cell.index, cell]));
    const cells = members.map((member, slot) =>
      this.#cell(member, fitnesses[slot] ?? Number.NaN, { slot, before, isStill: lineage?.length === 0 }),
    );
    this.#gains = gainsOf(cells.map(changeOf));
    for (const kind of OUTCOME_KINDS)
      this.#of(kind).gains.add(
        this.#gains.filter((gain, slot) => gain && cells[slot]?.since?.kind === kind) as readonly Gain[],
      );
    this.#window.push(cells);
    if (this.#window.length > SURVIVAL_GENERATIONS) {
      this.#judge(SURVIVAL_GENERATIONS, this.#sums);
      this.#window.shift();
      for (const cell of this.#window[0] ?? []) cell.before = null;
    }
    return this;
  }

  /** Counts further episodes of evaluations, such as those of the final one; null for an unknown number. */
  addEpisodes(episodes: number | null): void {
    this.#total = episodes === null || this.#total === null ? null : this.#total + episodes;
  }

  /** The run's evolution up to the last generation. @param ranges Hyperparameters whose diversity is told. */
  report(ranges: DiversityRanges = {}): EvolutionReport {
    const living = (this.#window.at(-1) ?? []).filter(({ rests }) => !rests);
    const founders = living.map(({ founder }) => founder);
    // Younger mutations are judged by the last generation.
    const sums = new Map(Array.from(this.#sums, ([kind, own]) => [kind, { ...own }]));
    for (let age = 1; age < this.#window.length; age += 1) this.#judge(age, sums);
    return {
      since: this.#since,
      episodes: this.#episodes,
      total_episodes: this.#total,
      members: living.length,
      ancestors: founders.includes(null) || living.length === 0 ? null : new Set(founders).size,
      hyperparameters: Object.fromEntries(
        Object.entries(ranges).flatMap(([name, range]) => {
          const values = living.flatMap(({ hyperparameters }) => hyperparameters[name] ?? []);
          const diversity = diversityOf(values.filter(Number.isFinite), range);
          return diversity ? [[name, diversity]] : [];
        }),
      ),
      mutations: Array.from(sums, ([kind, { number, gains, judged, survived }]) => ({
        kind,
        number,
        ...gains.summary,
        survival: judged === 0 ? null : survived / judged,
      })).filter(({ number }) => number > 0),
    };
  }

  #cell(
    member: TallyMember,
    fitness: number,
    {
      slot,
      before,
      isStill,
    }: { readonly slot: number; readonly before: ReadonlyMap<number, Cell>; readonly isStill: boolean },
  ): Cell {
    const { index = slot, parent = null, mutation: label = "", steps = Number.NaN } = member;
    const same = before.get(index);
    const source = same ?? before.get(parent ?? -1) ?? null;
    const rests = same?.steps === steps && !Number.isFinite(fitness);
    const found = isStill ? "none" : mutationKindAt(member, same?.label);
    const kind: OutcomeKind = found === "hyperparameter" && label === "explore" ? "explore" : found;
    if (!rests) this.#of(kind).number += 1;
    return {
      index,
      label,
      kind,
      evaluation: evaluationOf(member, fitness),
      steps,
      rests,
      founder: source ? source.founder : this.#isWhole ? index : null,
      hyperparameters: member.hyperparameters ?? {},
      since: source && sinceOf(source, kind),
      before: source,
    };
  }

  /** Counts which members of the generation `age` before the last one have living descendants. */
  #judge(age: number, sums: ReadonlyMap<OutcomeKind, Sums>): void {
    let alive = new Set(this.#window.at(-1)?.filter(({ rests }) => !rests));
    for (let step = 0; step < age; step += 1)
      alive = new Set([...alive].flatMap(({ before }) => before ?? []));
    for (const cell of this.#window.at(-1 - age) ?? []) {
      const own = sums.get(cell.kind);
      if (cell.rests || !own) continue;
      own.judged += 1;
      if (alive.has(cell)) own.survived += 1;
    }
  }

  #of(kind: OutcomeKind): Sums {
    return this.#sums.get(kind) ?? noSums();
  }
}

const evaluationOf = ({ evaluation }: TallyMember, fitness: number): Evaluation => ({
  fitness,
  error: fitnessError(evaluation),
  episodes: evaluation?.returns.length ?? Number.NaN,
});

/** What a member is compared with that is or comes from a member of the generation before. */
function sinceOf({ index, evaluation, since }: Cell, kind: OutcomeKind): Since | null {
  if (Number.isFinite(evaluation.fitness)) return { origin: index, from: evaluation, kind };
  // Language models are not evaluated in every generation.
  return since && { ...since, kind: kind === "none" ? since.kind : kind };
}

function changeOf({ since, evaluation }: Cell): Change | null {
  if (!since || !Number.isFinite(evaluation.fitness)) return null;
  const { origin, from, kind } = since;
  return { origin, from, to: evaluation, mutated: kind !== "none" };
}

/** Episodes of a member's evaluation; null if they are not counted. Without a fitness there was no evaluation. */
export const episodesOf = (
  { evaluation }: Pick<TallyMember, "evaluation">,
  fitness = Number.NaN,
): number | null => evaluation?.returns.length ?? (Number.isFinite(fitness) ? null : 0);

const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((all, value) => (all === null || value === null ? null : all + value), 0);

/**
 * The evolution of a run, from the reports of its generations in order: those of this version or of earlier ones,
 * or what its columns keep of them (`tallyRows`).
 */
export function evolutionOf(reports: Iterable<TallyRow>, ranges: DiversityRanges = {}): EvolutionReport {
  const tally = new EvolutionTally();
  for (const report of reports) tally.add(report);
  return tally.report(ranges);
}
