import { panelsText } from "./plotText.ts";

/** Properties by which the list of runs can be grouped. */
export const RUN_GROUPS = ["algorithm", "environment", "configuration", "repeats", "tag"] as const;

export type RunGroup = (typeof RUN_GROUPS)[number];

export interface RunSort {
  readonly column: string;
  readonly descending: boolean;
}

/** The view state of the list of runs, all of which is in the URL. */
export interface RunsQuery {
  /** Search words, or `key:word` for a single property. */
  readonly q: string;
  /** Null sorts newest first. */
  readonly sort: RunSort | null;
  readonly group: RunGroup | null;
  /** Optional columns after the fixed ones, in order. */
  readonly columns: readonly string[];
  /** Ids of the runs whose curves are shown beside the list, in the order in which they were chosen. */
  readonly curves: readonly string[];
  /** The panels about those runs, as the user has arranged them; "" for the usual ones. */
  readonly panels: string;
  /** Name of the shown saved view; null for none. */
  readonly view: string | null;
}

export const NO_CHOICE: RunsQuery = {
  q: "",
  sort: null,
  group: null,
  columns: [],
  curves: [],
  panels: "",
  view: null,
};

/** Maximum number of runs whose curves are shown beside the list. */
export const MOST_CURVES = 24;

/** Maximum length of a column name, and maximum number of columns in a URL. */
const LIMITS = { name: 100, columns: 60 };

function parseSort(text: string | null): RunSort | null {
  if (text === null || !/^-?[\w.][\w.-]{0,99}$/.test(text)) return null;
  return text.startsWith("-")
    ? { column: text.slice(1), descending: true }
    : { column: text, descending: false };
}

/** Parses the list's view state; invalid values are dropped. */
export function parseRunsQuery(parameters: URLSearchParams): RunsQuery {
  const columns = (parameters.get("columns") ?? "").split(",").filter((name) => /^[\w.][\w.-]*$/.test(name));
  const curves = (parameters.get("curves") ?? "").split(",").filter((id) => /^[\w:.-]{1,100}$/.test(id));
  return {
    q: parameters.get("q") ?? "",
    sort: parseSort(parameters.get("sort")),
    group: RUN_GROUPS.find((group) => group === parameters.get("group")) ?? null,
    columns: [...new Set(columns.filter((name) => name.length <= LIMITS.name))].slice(0, LIMITS.columns),
    curves: [...new Set(curves)].slice(0, MOST_CURVES),
    panels: panelsText(parameters.get("panels")),
    view: parameters.get("view") || null,
  };
}

/** The parameters that {@link parseRunsQuery} parses. */
export function runsParameters(query: RunsQuery): Record<string, string | null> {
  const { q, sort, group, columns, curves, panels, view } = query;
  return {
    q,
    sort: sort && `${sort.descending ? "-" : ""}${sort.column}`,
    group,
    columns: columns.join(","),
    curves: curves.join(","),
    panels,
    view,
  };
}
