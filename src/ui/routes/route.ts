import type { ManifestFormat } from "../../manifests/text.ts";
import { panelsText, plotText } from "./plotText.ts";
import { NO_CHOICE, parseRunsQuery, type RunsQuery, runsParameters } from "./runsQuery.ts";

export type { ManifestFormat };

/** The quantity on a chart's horizontal axis. */
export type ChartAxis = "steps" | "generation" | "time";

/** Vertical axis of the family tree: a lane for each member, or its fitness. */
export type TreeLayout = "lanes" | "fitness";

export const RUN_TABS = [
  "overview",
  "play",
  "completions",
  "chat",
  "data",
  "population",
  "lineage",
  "hyperparameters",
  "insight",
  "metrics",
  "network",
  "checkpoints",
  "log",
  "config",
  "kernels",
] as const;

/** A tab of a run's page. */
export type RunTab = (typeof RUN_TABS)[number];

/** The page and its view state: everything that a link must restore. */
export type Route =
  | RunsRoute
  | EditorRoute
  | RunRoute
  | CompareRoute
  | PlayRoute
  | DataRoute
  | EnvironmentsRoute
  | ChatRoute
  | { readonly page: "remote" }
  | { readonly page: "storage" }
  | { readonly page: "settings" }
  | { readonly page: "help" }
  | { readonly page: "unknown"; readonly path: string };

export interface RunsRoute extends RunsQuery {
  readonly page: "runs";
}

/**
 * The editor's starting point: an empty manifest, the last draft, a template, a run's manifest, or a manifest
 * in the link.
 */
export type EditorSource =
  | { readonly kind: "empty" }
  | { readonly kind: "draft" }
  | { readonly kind: "template"; readonly id: string }
  | { readonly kind: "run"; readonly id: string }
  | { readonly kind: "spec"; readonly text: string };

export interface EditorRoute {
  readonly page: "editor";
  /** Null shows the gallery of starting points. */
  readonly source: EditorSource | null;
  readonly format: ManifestFormat;
}

export interface RunRoute {
  readonly page: "run";
  readonly id: string;
  readonly tab: RunTab;
  readonly axis: ChartAxis;
  readonly view: "chart" | "table";
  /** What the vertical axis of the family tree is. */
  readonly tree: TreeLayout;
  /** What its horizontal axis is. */
  readonly across: ChartAxis;
  /** Index of the member whose details are open. */
  readonly member: number | null;
  /** Generation that all views show; null follows the latest. */
  readonly generation: number | null;
  /** Id of the compiled program whose code is open; null for the largest. */
  readonly program: string | null;
  /** What the user has set on the charts (`plotViews.ts`); "" for nothing. */
  readonly plot: string;
}

/** Minimum and maximum number of compared runs, such as two configurations with twenty seeds each. */
export const LEAST_RUNS = 2;
export const MOST_RUNS = 40;

/** A comparison of runs. */
export interface CompareRoute {
  readonly page: "compare";
  readonly runs: readonly string[];
  /** The panels, as the user has arranged them (`workspace/panels.ts`); "" for the usual ones. */
  readonly panels: string;
  /** What the user has set on the charts (`plotViews.ts`); "" for nothing. */
  readonly plot: string;
}

/** Plays a policy, which is encoded in the URL itself. */
export interface PlayRoute {
  readonly page: "play";
  readonly agent: string | null;
}

/** The data sets stored in this browser. */
interface DataRoute {
  readonly page: "data";
  /** SHA-256 of the shown data set; null for the list. */
  readonly dataset: string | null;
}

/** The gallery of environments, or one of them: a built-in one, a user-written one, or one in the link. */
export interface EnvironmentsRoute {
  readonly page: "environments";
  /** Name of the shown user-written environment; "" for a new one, null for none. */
  readonly name: string | null;
  /** Id of the shown built-in environment; null for none. */
  readonly builtIn: string | null;
  /** A shared environment, encoded in the URL itself; null for none. */
  readonly shared: string | null;
  /** Words and kind that the gallery's environments have; "" for all. */
  readonly search: string;
  readonly kind: string;
}

/** A conversation with models that this browser stores. */
export interface ChatRoute {
  readonly page: "chat";
  /** Path of the model in manifests; null for the first. */
  readonly model: string | null;
}

const AXES: readonly ChartAxis[] = ["steps", "generation", "time"];

function natural(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** A decoded path segment; a segment with a malformed escape is returned unchanged. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function editorSource(parameters: URLSearchParams): EditorSource | null {
  const [template, run, spec] = ["template", "run", "spec"].map((name) => parameters.get(name));
  if (template) return { kind: "template", id: template };
  if (run) return { kind: "run", id: run };
  if (spec) return { kind: "spec", text: spec };
  const from = parameters.get("from");
  return from === "empty" || from === "draft" ? { kind: from } : null;
}

function parseRun(id: string, parameters: URLSearchParams): RunRoute {
  return {
    page: "run",
    id: decoded(id),
    tab: RUN_TABS.find((tab) => tab === parameters.get("tab")) ?? "overview",
    axis: AXES.find((axis) => axis === parameters.get("axis")) ?? "steps",
    view: parameters.get("view") === "table" ? "table" : "chart",
    tree: parameters.get("tree") === "lanes" ? "lanes" : "fitness",
    across: AXES.find((axis) => axis === parameters.get("across")) ?? "generation",
    member: natural(parameters.get("member")),
    generation: natural(parameters.get("generation")),
    program: parameters.get("program") || null,
    plot: plotText(parameters.get("plot")),
  };
}

/** The route of a path with one segment; null if there is no such page. */
function parsePage(name: string, parameters: URLSearchParams): Route | null {
  switch (name) {
    case "new":
      return {
        page: "editor",
        source: editorSource(parameters),
        format: parameters.get("format") === "json" ? "json" : "yaml",
      };
    case "runs":
      return { page: "runs", ...parseRunsQuery(parameters) };
    case "compare":
      return {
        page: "compare",
        runs: parameters.get("runs")?.split(",").filter(Boolean).map(decoded) ?? [],
        panels: panelsText(parameters.get("panels")),
        plot: plotText(parameters.get("plot")),
      };
    case "play":
      return { page: "play", agent: parameters.get("agent") || null };
    case "data":
      return dataRoute();
    case "environments":
      return {
        page: "environments",
        name: parameters.has("new") ? "" : parameters.get("name") || null,
        builtIn: parameters.get("play") || null,
        shared: parameters.get("shared") || null,
        search: parameters.get("search") ?? "",
        kind: parameters.get("kind") ?? "",
      };
    case "chat":
      return { page: "chat", model: parameters.get("model") || null };
    case "remote":
    case "storage":
    case "settings":
    case "help":
      return { page: name };
    default:
      return null;
  }
}

/** Parses a URL hash, such as `#/runs/ab12?axis=time`. Unknown parameters and values are dropped. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first, second] = segments;
  if (first === undefined) return { page: "runs", ...parseRunsQuery(parameters) };
  const page = segments.length === 1 ? parsePage(first, parameters) : null;
  if (page !== null) return page;
  if (first === "data" && second !== undefined && segments.length === 2) return dataRoute(decoded(second));
  if (first === "runs" && second !== undefined && segments.length === 2) return parseRun(second, parameters);
  return { page: "unknown", path };
}

function withQuery(path: string, parameters: Record<string, string | number | null>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters))
    if (value !== null && value !== "") query.set(key, String(value));
  const text = query.toString();
  return text === "" ? `#${path}` : `#${path}?${text}`;
}

/** A value that an address has; null for the default, which it leaves out. */
const unless = (usual: string, value: string): string | null => (value === usual ? null : value);

function sourceParameters(source: EditorSource | null): Record<string, string> {
  switch (source?.kind) {
    case undefined:
      return {};
    case "template":
    case "run":
      return { [source.kind]: source.id };
    case "spec":
      return { spec: source.text };
    case "empty":
    case "draft":
      return { from: source.kind };
  }
}

/** The URL hash that {@link parseRoute} parses. Default values are left out. */
export function formatRoute(route: Route): string {
  switch (route.page) {
    case "runs":
      return withQuery("/", runsParameters(route));
    case "editor":
      return withQuery("/new", {
        ...sourceParameters(route.source),
        format: unless("yaml", route.format),
      });
    case "run":
      return withQuery(`/runs/${encodeURIComponent(route.id)}`, {
        tab: unless("overview", route.tab),
        axis: unless("steps", route.axis),
        view: unless("chart", route.view),
        tree: unless("fitness", route.tree),
        across: unless("generation", route.across),
        member: route.member,
        generation: route.generation,
        program: route.program,
        plot: route.plot,
      });
    case "compare":
      return withQuery("/compare", {
        runs: route.runs.map(encodeURIComponent).join(","),
        panels: route.panels,
        plot: route.plot,
      });
    case "play":
      return withQuery("/play", { agent: route.agent });
    case "data":
      return route.dataset === null ? "#/data" : `#/data/${encodeURIComponent(route.dataset)}`;
    case "environments":
      return withQuery("/environments", {
        new: route.name === "" ? 1 : null,
        name: route.name,
        play: route.builtIn,
        shared: route.shared,
        search: route.search,
        kind: route.kind,
      });
    case "chat":
      return withQuery("/chat", { model: route.model });
    case "remote":
    case "storage":
    case "settings":
    case "help":
      return `#/${route.page}`;
    case "unknown":
      return `#${route.path}`;
  }
}

/** Identifies the page regardless of its view state; a different key means a different heading. */
export function pageKey(route: Route): string {
  switch (route.page) {
    case "run":
      return `run ${route.id}`;
    case "editor":
      return route.source === null ? "new" : "editor";
    case "data":
      return `data ${route.dataset ?? ""}`;
    case "unknown":
      return `unknown ${route.path}`;
    case "environments":
      return route.name === null && route.shared === null ? `environment ${route.builtIn ?? ""}` : route.page;
    default:
      return route.page;
  }
}

/** The list of runs in its default view. */
export const runsRoute: RunsRoute = { page: "runs", ...NO_CHOICE };

/** The gallery of environments. */
export const environmentsRoute: EnvironmentsRoute = {
  page: "environments",
  name: null,
  builtIn: null,
  shared: null,
  search: "",
  kind: "",
};

/** The page of a user-written environment, or of a new one. */
export const ownEnvironmentRoute = (name = ""): EnvironmentsRoute => ({ ...environmentsRoute, name });

/** The page of a built-in environment. */
export const builtInRoute = (id: string): EnvironmentsRoute => ({ ...environmentsRoute, builtIn: id });

/** A run's page in its default view, on one of its tabs. */
export function runRoute(id: string, tab: RunTab = "overview"): RunRoute {
  return {
    page: "run",
    id,
    tab,
    axis: "steps",
    view: "chart",
    tree: "fitness",
    across: "generation",
    member: null,
    generation: null,
    program: null,
    plot: "",
  };
}

/** A comparison of runs in its default view. */
export const compareRoute = (runs: readonly string[] = []): CompareRoute => ({
  page: "compare",
  runs,
  panels: "",
  plot: "",
});

/** The list of data sets, or the page of one. */
export const dataRoute = (dataset: string | null = null): DataRoute => ({ page: "data", dataset });

/** The gallery of starting points for a new run, or the editor with one. */
export function editorRoute(
  source: EditorSource | null = null,
  format: ManifestFormat = "yaml",
): EditorRoute {
  return { page: "editor", source, format };
}
