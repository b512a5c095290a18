import type { ManifestFormat } from "../../specs/manifest/manifestFormat.ts";

export type { ManifestFormat };

/** What a chart's horizontal axis counts. */
export type ChartAxis = "steps" | "generation" | "time";

/** The page and its view state: everything that a link to it must bring back. */
export type Route =
  | { readonly page: "home" }
  | {
      readonly page: "editor";
      /** Starts from a template; exclusive with `run`. */
      readonly template: string | null;
      /** Starts from the manifest of a run. */
      readonly run: string | null;
      readonly format: ManifestFormat;
    }
  | RunRoute
  | KernelsRoute
  | { readonly page: "unknown"; readonly path: string };

export interface RunRoute {
  readonly page: "run";
  readonly id: string;
  readonly axis: ChartAxis;
  readonly view: "chart" | "table";
  /** Slot of the member whose details are open. */
  readonly member: number | null;
  /** Generation shown in the table; null follows the latest. */
  readonly generation: number | null;
}

/** What is compiled for a run. */
export interface KernelsRoute {
  readonly page: "kernels";
  /** Of the run. */
  readonly id: string;
  /** Id of the program whose code is open; null for the largest. */
  readonly program: string | null;
}

const AXES: readonly ChartAxis[] = ["steps", "generation", "time"];

function natural(text: string | null): number | null {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/** A path segment as it was written; a malformed escape stays as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Route of an address's hash, such as `#/runs/ab12?axis=time`. Unknown parameters and values are dropped. */
export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const parameters = new URLSearchParams(query);
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first, second, third] = segments;
  if (first === undefined) return { page: "home" };
  if (first === "new" && segments.length === 1) {
    const template = parameters.get("template");
    return {
      page: "editor",
      template,
      run: template === null ? parameters.get("run") : null,
      format: parameters.get("format") === "json" ? "json" : "yaml",
    };
  }
  if (first === "runs" && second !== undefined && segments.length === 2) {
    return {
      page: "run",
      id: decoded(second),
      axis: AXES.find((axis) => axis === parameters.get("axis")) ?? "steps",
      view: parameters.get("view") === "table" ? "table" : "chart",
      member: natural(parameters.get("member")),
      generation: natural(parameters.get("generation")),
    };
  }
  if (first === "runs" && second !== undefined && third === "kernels" && segments.length === 3)
    return { page: "kernels", id: decoded(second), program: parameters.get("program") };
  return { page: "unknown", path };
}

function withQuery(path: string, parameters: Record<string, string | number | null | false>): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(parameters)) {
    if (value !== null && value !== false) query.set(key, String(value));
  }
  const text = query.toString();
  return text === "" ? `#${path}` : `#${path}?${text}`;
}

/** The hash that {@link parseRoute} reads back; what is default is left out. */
export function formatRoute(route: Route): string {
  switch (route.page) {
    case "home":
      return "#/";
    case "editor":
      return withQuery("/new", {
        template: route.template,
        run: route.run,
        format: route.format === "json" && "json",
      });
    case "run":
      return withQuery(`/runs/${encodeURIComponent(route.id)}`, {
        axis: route.axis !== "steps" && route.axis,
        view: route.view === "table" && "table",
        member: route.member,
        generation: route.generation,
      });
    case "kernels":
      return withQuery(`/runs/${encodeURIComponent(route.id)}/kernels`, { program: route.program });
    case "unknown":
      return `#${route.path}`;
  }
}

/** A run's page in its first view. */
export function runRoute(id: string): RunRoute {
  return { page: "run", id, axis: "steps", view: "chart", member: null, generation: null };
}

/** The programs of a run. */
export function kernelsRoute(id: string): KernelsRoute {
  return { page: "kernels", id, program: null };
}

/** The editor, empty or with a manifest to start from. */
export function editorRoute(from: { template?: string; run?: string } = {}): Route {
  return { page: "editor", template: from.template ?? null, run: from.run ?? null, format: "yaml" };
}
