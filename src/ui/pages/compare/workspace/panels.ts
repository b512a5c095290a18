/** The panels of a workspace: what each shows, in the order in which they are arranged, as one parameter of an address. */
import type { ChartAxis } from "../../../routes/route.ts";

export const PANEL_KINDS = ["curves", "pair", "metrics", "config", "text"] as const;

/** What a panel shows: a measure of the runs as curves, two configurations by seed, numbers of all measures, their manifests, or a text of the user's. */
export type PanelKind = (typeof PANEL_KINDS)[number];

export interface PanelSpec {
  readonly kind: PanelKind;
  /** The user's heading; "" for that of its kind. */
  readonly name: string;
  /** Whether it is as wide as the workspace. */
  readonly wide: boolean;
  /** Name of the measure of curves or of the score of a pair; "" for the first. */
  readonly measure: string;
  readonly axis: ChartAxis;
  /** Whether curves are means over seeds. */
  readonly seeds: boolean;
  /** Ids of a run of each side of a pair; none for the first ones that fit. */
  readonly sides: readonly string[];
  /** The text of a text panel; paragraphs are separated by empty lines. */
  readonly text: string;
}

export const newPanel = (kind: PanelKind): PanelSpec => ({
  kind,
  name: "",
  wide: kind !== "curves",
  measure: "",
  axis: "steps",
  seeds: false,
  sides: [],
  text: "",
});

const AXES: readonly ChartAxis[] = ["steps", "generation", "time"];

/** Limits of an address. */
export const MOST_PANELS = 24;
export const LONGEST = { name: 80, text: 1500 } as const;

const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[~!]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** What stands for a workspace without panels, since an empty parameter is absent. */
const EMPTY = "none";

/** The parameter that {@link parsePanels} parses. */
export const formatPanels = (panels: readonly PanelSpec[]): string =>
  panels
    .map(({ kind, name, wide, measure, axis, seeds, text, sides }) =>
      [
        kind,
        wide ? "w" : "",
        encoded(name),
        encoded(measure),
        axis,
        seeds ? "s" : "",
        encoded(text),
        encoded(sides.join(",")),
      ]
        .join("~")
        .replace(/~+$/, ""),
    )
    .join("!") || EMPTY;

/** Parses the parameter of an address; entries without a known kind are dropped. */
export function parsePanels(text: string): readonly PanelSpec[] {
  return text
    .split("!")
    .flatMap((entry): PanelSpec[] => {
      const [kind, wide, name = "", measure = "", axis, seeds, words = "", sides = ""] = entry.split("~");
      const known = PANEL_KINDS.find((one) => one === kind);
      if (known === undefined) return [];
      return [
        {
          kind: known,
          wide: wide === "w",
          name: decoded(name).slice(0, LONGEST.name),
          measure: decoded(measure).slice(0, LONGEST.name),
          axis: AXES.find((one) => one === axis) ?? "steps",
          seeds: seeds === "s",
          sides: sides === "" ? [] : decoded(sides).split(",").slice(0, 2),
          text: decoded(words).slice(0, LONGEST.text),
        },
      ];
    })
    .slice(0, MOST_PANELS);
}

/** The panels with one of them at another position. */
export function moved(panels: readonly PanelSpec[], from: number, to: number): readonly PanelSpec[] {
  const panel = panels[from];
  if (panel === undefined || to < 0 || to >= panels.length) return panels;
  return panels.toSpliced(from, 1).toSpliced(to, 0, panel);
}

const TITLES: Readonly<Record<PanelKind, string>> = {
  curves: "Curves",
  pair: "A against B",
  metrics: "Metrics",
  config: "Configuration",
  text: "Text",
};

/** The heading of a panel. */
export const titleOf = ({ kind, name }: Pick<PanelSpec, "kind" | "name">): string => name || TITLES[kind];

/** The paragraphs of a text. */
export const paragraphsOf = (text: string): readonly string[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
