import type { GenerationReport, MemberReport } from "../../../../tracking/observer.ts";
import { type Range, suitsLog } from "../hyperparameters/hyperparameterRanges.ts";

/** What a column is sorted by; null where a member has none. */
export type SortValue = number | string | null;

export interface PopulationColumn {
  readonly key: string;
  readonly label: string;
  readonly value: (member: MemberReport) => SortValue;
  /** Of a hyperparameter that mutates: where its bar begins and ends. */
  readonly range: Range | null;
  /** Numbers stand at the right. */
  readonly number: boolean;
  /** A name of the manifest's. */
  readonly code: boolean;
}

/** Hyperparameters in columns where none mutates; the others are in a member's details. */
const MAX_STILL = 5;

const finite = (value: number | null | undefined): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

type Column = Pick<PopulationColumn, "key" | "label" | "value"> & Partial<PopulationColumn>;
const column = (given: Column): PopulationColumn => ({ range: null, number: true, code: false, ...given });

/**
 * The columns of a run's population: the same for all of its generations, whatever differs in one of them.
 *
 * @param ranges bounds of the hyperparameters that mutate
 */
export function populationColumns(
  { members }: Pick<GenerationReport, "members">,
  ranges: Readonly<Record<string, Range>>,
): readonly PopulationColumn[] {
  const [first] = members;
  const names = Object.keys(first?.hyperparameters ?? {});
  const tuned = names.filter((name) => Object.hasOwn(ranges, name));
  const shown = tuned.length > 0 ? tuned : names.slice(0, MAX_STILL);
  const agents = Object.keys(members.find(({ agent_fitness }) => agent_fitness)?.agent_fitness ?? {});
  // Runs of earlier builds have reports without the field.
  const divided = members.some(({ subpopulation }) => typeof subpopulation === "number");
  return [
    column({ key: "member", label: "Member", value: ({ index }) => index, number: false }),
    column({ key: "fitness", label: "Fitness", value: ({ fitness }) => finite(fitness) }),
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
    column({ key: "parent", label: "Parent", value: ({ parent }) => parent, number: false }),
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

/** Members in an order; those without a value come last, and equal ones by their places. */
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

/** How far along its range a value lies, in [0, 1]; on a logarithmic scale where the range asks for one. */
export function shareOfRange(value: number, range: Range): number {
  const { min, max } = range;
  const scale = suitsLog(range) ? Math.log : (plain: number): number => plain;
  const share = (scale(value) - scale(min)) / (scale(max) - scale(min));
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}
