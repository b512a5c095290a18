import type { GenerationReport, MemberReport } from "../../../../tracking/observer.ts";
import { type FitnessWord, headOf } from "../../../games/fitnessWord.tsx";
import { type Range, suitsLog } from "../../../series/hyperparameterRanges.ts";

/** The value that a column is sorted by; null if a member has none. */
type SortValue = number | string | null;

export interface PopulationColumn {
  readonly key: string;
  readonly label: string;
  readonly value: (member: MemberReport) => SortValue;
  /** The ends of the bar for a hyperparameter that mutates; null for other columns. */
  readonly range: Range | null;
  /** Whether the column is numeric, and thus right-aligned. */
  readonly number: boolean;
  /** Whether the label is an identifier, shown as code. */
  readonly code: boolean;
}

/** Maximum number of hyperparameter columns if none mutates; the others are in the member's details. */
const MAX_STILL = 5;

const finite = (value: number | null | undefined): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

type Column = Pick<PopulationColumn, "key" | "label" | "value"> & Partial<PopulationColumn>;
const column = (given: Column): PopulationColumn => ({ range: null, number: true, code: false, ...given });

/**
 * The columns of a run's population table, the same for all of its generations.
 *
 * @param ranges bounds of the hyperparameters that mutate
 * @param word what fitness is called
 */
export function populationColumns(
  { members }: Pick<GenerationReport, "members">,
  ranges: Readonly<Record<string, Range>>,
  word: FitnessWord = "fitness",
): readonly PopulationColumn[] {
  const [first] = members;
  const names = Object.keys(first?.hyperparameters ?? {});
  const tuned = names.filter((name) => Object.hasOwn(ranges, name));
  const shown = tuned.length > 0 ? tuned : names.slice(0, MAX_STILL);
  const agents = Object.keys(members.find(({ agent_fitness }) => agent_fitness)?.agent_fitness ?? {});
  // Reports of earlier builds lack this field.
  const divided = members.some(({ subpopulation }) => typeof subpopulation === "number");
  return [
    column({ key: "member", label: "Member", value: ({ index }) => index, number: false }),
    column({ key: "fitness", label: headOf(word), value: ({ fitness }) => finite(fitness) }),
    ...agents.map((id) =>
      column({
        key: `agent ${id}`,
        label: id,
        value: ({ agent_fitness }) => finite(agent_fitness?.[id]),
        code: true,
      }),
    ),
    column({ key: "score", label: "Score", value: ({ score }) => finite(score) }),
    column({ key: "steps", label: "Steps", value: ({ steps }) => steps }),
    ...shown.map((name) =>
      column({
        key: `hyperparameter ${name}`,
        label: name,
        value: ({ hyperparameters }) => finite(hyperparameters[name]),
        range: ranges[name] ?? null,
        code: true,
      }),
    ),
    ...(divided
      ? [
          column({
            key: "subpopulation",
            label: "Subpopulation",
            value: ({ subpopulation }) => subpopulation,
          }),
        ]
      : []),
    column({ key: "mutation", label: "Last mutation", value: ({ mutation }) => mutation, number: false }),
    // A retained elite counts as its own parent.
    column({
      key: "parent",
      label: "Parent",
      value: ({ parent, index }) => (parent === index ? "survived" : parent),
      number: false,
    }),
    column({
      key: "architecture",
      label: "Architecture",
      value: ({ architecture }) => architecture,
      number: false,
    }),
  ];
}

export interface Sorting {
  readonly key: string;
  readonly descending: boolean;
}

/** Sorts members; those without a value come last, and ties are ordered by slot. */
export function sortedMembers(
  members: readonly MemberReport[],
  columns: readonly PopulationColumn[],
  { key, descending }: Sorting,
): readonly MemberReport[] {
  const by = columns.find((one) => one.key === key);
  if (by === undefined) return members;
  const sign = descending ? -1 : 1;
  return members.toSorted((a, b) => {
    const [left, right] = [by.value(a), by.value(b)];
    if (left === null || right === null)
      return Number(left === null) - Number(right === null) || a.slot - b.slot;
    if (left === right) return a.slot - b.slot;
    return left < right ? -sign : sign;
  });
}

/** Position of a value within its range, in [0, 1]; on a logarithmic scale if the range suits one. */
export function shareOfRange(value: number, range: Range): number {
  const { min, max } = range;
  const scale = suitsLog(range) ? Math.log : (plain: number): number => plain;
  const share = (scale(value) - scale(min)) / (scale(max) - scale(min));
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}
