/** A workspace as one HTML file that needs nothing else: texts, charts as SVG, tables. It has no script. */
import { plotDrawing } from "../../../components/plot/plotDrawing.ts";
import { plotContent, plotScene } from "../../../components/plot/plotScene.ts";
import { type PlotTheme, slotToken } from "../../../components/plot/plotTheme.ts";
import { escaped } from "../../../lib/escaped.ts";
import { formatChange, formatCount, formatHyperparameter, formatScore, NONE } from "../../../lib/format.ts";
import { type PlotViews, plotSlug } from "../../../routes/plotViews.ts";
import { configRows, measuresOf, picked, shownName } from "../comparison.ts";
import { type CurveChart, curvesOf } from "../curves.ts";
import { type ComparedRun, wordOfRuns } from "../OpenRuns.ts";
import { pairingOf } from "../pairs.ts";
import { type PanelSpec, paragraphsOf, titleOf } from "./panels.ts";

/** Size of a chart in pixels; it scales with the page. */
const CHART = { width: 960, height: 360 } as const;

export interface ReportStyle {
  readonly theme: PlotTheme;
  /** What the user has set on the charts. */
  readonly views: PlotViews;
  /** When the report is made, as text. */
  readonly moment: string;
}

const cell = (text: string, isNumber: boolean): string =>
  `<td${isNumber ? ' class="number"' : ""}>${escaped(text)}</td>`;

/** A text, or the name of a run behind its colour. */
type Head = string | Pick<ComparedRun, "name" | "colour">;

/** A table whose first column names its rows. */
function tableOf(
  head: readonly Head[],
  rows: readonly (readonly [Head, ...string[]])[],
  { colour }: PlotTheme,
): string {
  const headOf = (text: Head): string =>
    typeof text === "string"
      ? escaped(text)
      : `<i style="background:${escaped(colour[slotToken(text.colour)])}"></i> ${escaped(text.name)}`;
  const heads = head.map(
    (text, at) => `<th scope="col"${at > 0 ? ' class="number"' : ""}>${headOf(text)}</th>`,
  );
  const lines = rows.map(([name, ...rest]) => {
    const cells = rest.map((text) => cell(text, true)).join("");
    return `<tr><th scope="row">${headOf(name)}</th>${cells}</tr>`;
  });
  return `<div class="scroll"><table><thead><tr>${heads.join("")}</tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}

function chartOf({ title, model, note, legend }: CurveChart, { theme, views }: ReportStyle): string {
  const place = { ...CHART, chart: plotSlug(title) };
  const scene = plotScene(model, plotContent(model, views), views, place);
  const { svg } = plotDrawing({ title, scene, legend }, theme, theme.colour.surface);
  // Drawings of one file share their ids.
  const own = svg
    .replace('id="area"', `id="area-${place.chart}"`)
    .replaceAll("#area", `#area-${place.chart}`);
  return `<figure role="img" aria-label="${escaped(title)}">${own}</figure>${note === "" ? "" : `<p>${escaped(note)}</p>`}`;
}

function contentOf(panel: PanelSpec, runs: readonly ComparedRun[], style: ReportStyle): string {
  switch (panel.kind) {
    case "text":
      return paragraphsOf(panel.text)
        .map((part) => `<p>${escaped(part).replaceAll("\n", "<br>")}</p>`)
        .join("");
    case "curves": {
      const { charts } = curvesOf(runs, panel);
      return charts.length === 0
        ? "<p>None of the runs has completed a generation.</p>"
        : charts.map((chart) => chartOf(chart, style)).join("");
    }
    case "pair": {
      const pairing = pairingOf(runs, panel);
      if (pairing === null) return "<p>There are no two configurations.</p>";
      const { a, b, shown, seeds, verdict } = pairing;
      const table = tableOf(
        [`Seed, ${shown}`, { name: "A", colour: a.colour }, { name: "B", colour: b.colour }, "A minus B"],
        seeds.map((row) => [
          String(row.seed),
          formatHyperparameter(row.a),
          formatHyperparameter(row.b),
          formatChange(row.difference),
        ]),
        style.theme,
      );
      const sides = [`A: ${a.name}`, `B: ${b.name}`, verdict].map((text) => `<p>${escaped(text)}</p>`);
      return sides.join("") + (seeds.length === 0 ? "" : table);
    }
    case "metrics":
      return tableOf(
        ["Last value of", ...runs],
        measuresOf(runs.flatMap(({ columns }) => columns ?? [])).map((measure) => [
          shownName(measure, wordOfRuns(runs)),
          ...runs.map(({ columns }) => {
            const value = columns === null ? Number.NaN : picked(measure.of(columns), "last");
            return Number.isFinite(value) ? formatHyperparameter(value) : NONE;
          }),
        ]),
        style.theme,
      );
    case "config": {
      const rows = configRows(runs.map(({ seed, view }) => ({ seed, manifest: view.manifest }))).filter(
        ({ differs }) => differs,
      );
      return rows.length === 0
        ? "<p>These runs have the same configuration and seed.</p>"
        : tableOf(
            ["Value that differs", ...runs],
            rows.map(({ name, values }) => [name, ...values.map((value) => String(value ?? NONE))]),
            style.theme,
          );
    }
  }
}

/** The runs with their numbers and notes. */
function runsOf(runs: readonly ComparedRun[], theme: PlotTheme): string {
  return tableOf(
    [
      ...["Run", "Algorithm", "Environment", "Seed", "State", "Generations", "Steps"],
      ...[`Best ${wordOfRuns(runs)}`, "Note"],
    ],
    runs.flatMap((run): [ComparedRun, ...string[]][] => {
      const { summary } = run.view;
      if (summary === null) return [];
      const { algorithm, environment, state, generation, global_step, best_fitness, note } = summary;
      const numbers = [formatCount(generation), formatCount(global_step), formatScore(best_fitness)];
      return [[run, algorithm, environment, String(run.seed ?? NONE), state, ...numbers, note]];
    }),
    theme,
  );
}

const styleOf = ({ colour, font }: PlotTheme): string => `
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; background: ${colour.surface}; color: ${colour.ink};
  font: 1rem/1.5 ${font.replace(/^\S+ /, "")}; }
p { max-width: 70ch; }
figure { margin: 0; }
figure svg { display: block; width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { padding: 0.25rem 0.75rem; border-bottom: 1px solid ${colour.line}; text-align: left; vertical-align: top; }
i { display: inline-block; width: 0.625rem; height: 0.625rem; border-radius: 50%; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
footer { margin-top: 2rem; color: ${colour["ink-3"]}; font-size: 0.875rem; }
`;

/** The compared runs of a report. */
export interface ReportRuns {
  readonly runs: readonly ComparedRun[];
  /** Ids of those that could not be opened, such as deleted ones. */
  readonly lost: readonly string[];
}

const lostText = (id: string): string => `<p>Run ${escaped(id)} could not be opened, and is left out.</p>`;

/** The report as the text of an HTML file. */
export function reportOf(
  panels: readonly PanelSpec[],
  { runs, lost }: ReportRuns,
  style: ReportStyle,
): string {
  const [first] = panels;
  const title = first?.kind === "text" && first.name !== "" ? first.name : "Report";
  const sections = panels.map((panel, at) => {
    const heading = at === 0 && titleOf(panel) === title ? "" : `<h2>${escaped(titleOf(panel))}</h2>`;
    return `<section>${heading}${contentOf(panel, runs, style)}</section>`;
  });
  return [
    '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escaped(title)}</title><style>${styleOf(style.theme)}</style></head><body>`,
    `<h1>${escaped(title)}</h1>`,
    ...sections,
    `<section><h2>Runs</h2>${runsOf(runs, style.theme)}${lost.map(lostText).join("")}</section>`,
    `<footer>Made with rlkit on ${escaped(style.moment)}.</footer></body></html>\n`,
  ].join("\n");
}
