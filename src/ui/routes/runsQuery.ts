/** What the list of runs may be grouped by. */
export const RUN_GROUPS = ["algorithm", "environment", "tag"] as const;

export type RunGroup = (typeof RUN_GROUPS)[number];

export interface RunSort {
  readonly column: string;
  readonly descending: boolean;
}

/** How the list of runs is seen; all of it is in the address. */
export interface RunsQuery {
  /** Words to be found in a run, or `key:word` for one of its properties. */
  readonly q: string;
  /** Null is newest first. */
  readonly sort: RunSort | null;
  readonly group: RunGroup | null;
  /** Columns beside the fixed ones, in order. */
  readonly columns: readonly string[];
  /** Name of the saved view that is shown; null for none. */
  readonly view: string | null;
}

export const NO_CHOICE: RunsQuery = { q: "", sort: null, group: null, columns: [], view: null };

/** Longest column name and number of columns that an address may ask for. */
const LIMITS = { name: 100, columns: 60 };

function parseSort(text: string | null): RunSort | null {
  if (text === null || !/^-?[\w.][\w.-]{0,99}$/.test(text)) return null;
  return text.startsWith("-")
    ? { column: text.slice(1), descending: true }
    : { column: text, descending: false };
}

/** Reads the list's view state; what cannot be is dropped. */
export function parseRunsQuery(parameters: URLSearchParams): RunsQuery {
  const columns = (parameters.get("columns") ?? "").split(",").filter((name) => /^[\w.][\w.-]*$/.test(name));
  return {
    q: parameters.get("q") ?? "",
    sort: parseSort(parameters.get("sort")),
    group: RUN_GROUPS.find((group) => group === parameters.get("group")) ?? null,
    columns: [...new Set(columns.filter((name) => name.length <= LIMITS.name))].slice(0, LIMITS.columns),
    view: parameters.get("view") || null,
  };
}

/** The parameters that {@link parseRunsQuery} reads back. */
export function runsParameters({ q, sort, group, columns, view }: RunsQuery): Record<string, string | false> {
  return {
    q: q !== "" && q,
    sort: sort !== null && `${sort.descending ? "-" : ""}${sort.column}`,
    group: group ?? false,
    columns: columns.length > 0 && columns.join(","),
    view: view ?? false,
  };
}
