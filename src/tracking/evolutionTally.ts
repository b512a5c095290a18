/** Derives a run's evolution from the reports of its generations. */
import type { HyperparameterScale } from "../specs/sections.ts";
import {
  type EvolutionCounter,
  type EvolutionReport,
  type HyperparameterDiversity,
  OUTCOME_KINDS,
  type OutcomeKind,
  SURVIVAL_GENERATIONS,
} from "./evolutionReport.ts";
import { mutationKindAt } from "./mutationKind.ts";
import type { MemberReport } from "./observer.ts";

/** The part of a member's report that counts; older reports lack some of it. */
export type TallyMember = Partial<
  Pick<MemberReport, "index" | "parent" | "steps" | "mutation" | "mutation_detail" | "hyperparameters">
> & { readonly evaluation?: { readonly returns: ArrayLike<number> } };

/** A generation's report, or what is known of it. Without members, or their identities, its report is lost. */
export interface TallyRow {
  readonly generation: number;
  readonly fitnesses: readonly number[];
  readonly members?: readonly TallyMember[] | undefined;
  readonly lineage?: readonly unknown[];
}

/** A mutation whose first fitness is still to come. */
interface Pending {
  readonly kind: OutcomeKind;
  /** Identity of the parent, if it may be a member still. */
  readonly rival: number | null;
  /** The parent's last fitness before. */
  readonly base: number;
}

/** A member in one generation. */
interface Cell {
  readonly index: number;
  readonly label: string;
  readonly kind: OutcomeKind;
  readonly fitness: number;
  /** The last fitness that is a number; NaN for none. */
  readonly known: number;
  readonly steps: number;
  readonly rests: boolean;
  /** Its ancestor in the first generation; null if unknown. */
  readonly founder: number | null;
  readonly hyperparameters: Readonly<Record<string, number>>;
  pending: Pending | null;
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
  const logarithmic = scale === "log" || (scale === "linear" && initial === "log_uniform");
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
  gains: number;
  compared: number;
  judged: number;
  survived: number;
}

const noSums = (): Sums => ({ number: 0, gains: 0, compared: 0, judged: 0, survived: 0 });

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

  /** Adds the next generation. */
  add({ generation, fitnesses, members = [], lineage }: TallyRow): this {
    const isLost = members.every(({ index }) => index === undefined);
    if (this.#since === 0) this.#since = generation;
    this.#episodes = isLost ? null : sum(members.map((member, slot) => episodesOf(member, fitnesses[slot])));
    this.addEpisodes(this.#episodes);
    if (isLost) {
      this.#isWhole = false;
      this.#window.length = 0;
      return this;
    }
    const before = new Map(this.#window.at(-1)?.map((cell) => [cell.index, cell]));
    const cells = members.map((member, slot) =>
      this.#cell(member, fitnesses[slot] ?? Number.NaN, { slot, before, isStill: lineage?.length === 0 }),
    );
    const rivals = new Map(
      cells.flatMap((cell) => (cell.kind === "none" && !cell.rests ? [[cell.index, cell] as const] : [])),
    );
    for (const cell of cells) this.#compare(cell, rivals);
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
      mutations: Array.from(sums, ([kind, { number, gains, compared, judged, survived }]) => ({
        kind,
        number,
        gain: compared === 0 ? null : gains / compared,
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
    const known = source?.known ?? Number.NaN;
    const pending: Pending = { kind, rival: same ? null : parent, base: known };
    if (!rests) this.#of(kind).number += 1;
    return {
      index,
      label,
      kind,
      fitness,
      known: Number.isFinite(fitness) ? fitness : known,
      steps,
      rests,
      founder: source ? source.founder : this.#isWhole ? index : null,
      hyperparameters: member.hyperparameters ?? {},
      // Language models are not evaluated in every generation.
      pending: kind === "none" && same?.pending ? same.pending : pending,
      before: source,
    };
  }

  /** Compares a member's first fitness since its mutation with that of its parent. */
  #compare(cell: Cell, rivals: ReadonlyMap<number, Cell>): void {
    const { pending, fitness } = cell;
    if (!pending || !Number.isFinite(fitness)) return;
    const rival = rivals.get(pending.rival ?? -1)?.fitness ?? Number.NaN;
    const gain = fitness - (Number.isFinite(rival) ? rival : pending.base);
    cell.pending = null;
    if (!Number.isFinite(gain)) return;
    const sums = this.#of(pending.kind);
    sums.gains += gain;
    sums.compared += 1;
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
