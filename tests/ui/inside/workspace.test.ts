import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlotTheme } from "../../../src/ui/components/plot/plotTheme.ts";
import {
  formatPanels,
  moved,
  newPanel,
  PANEL_KINDS,
  type PanelSpec,
  parsePanels,
} from "../../../src/ui/pages/compare/workspace/panels.ts";
import { reportOf } from "../../../src/ui/pages/compare/workspace/report.ts";
import { NO_PLOT_VIEWS } from "../../../src/ui/routes/plotViews.ts";
import { compareRoute, formatRoute, parseRoute } from "../../../src/ui/routes/route.ts";
import { comparedRuns } from "./support/comparedRuns.ts";

const anyPanel: fc.Arbitrary<PanelSpec> = fc.record({
  kind: fc.constantFrom(...PANEL_KINDS),
  name: fc.string({ unit: "grapheme", maxLength: 20 }),
  wide: fc.boolean(),
  measure: fc.string({ maxLength: 20 }),
  axis: fc.constantFrom("steps" as const, "generation" as const, "time" as const),
  seeds: fc.boolean(),
  sides: fc.array(fc.stringMatching(/^[\w:.-]{1,9}$/), { maxLength: 2 }),
  text: fc.string({ unit: "grapheme", maxLength: 40 }),
});

describe("the panels of a workspace", () => {
  it("come back from an address as they went in", () => {
    fc.assert(
      fc.property(fc.array(anyPanel, { maxLength: 5 }), (panels) => {
        const text = formatPanels(panels);
        expect(parsePanels(text)).toEqual(panels);
        expect(parseRoute(formatRoute({ ...compareRoute(["a"]), panels: text }))).toMatchObject({
          panels: text,
        });
      }),
    );
  });

  it("drop what no panel can be, and have a limit", () => {
    expect(parsePanels("chart!curves~x~%E0%A4%A~~sideways!")).toEqual([
      { ...newPanel("curves"), name: "", wide: false },
    ]);
    expect(parsePanels("text!".repeat(99))).toHaveLength(24);
    expect(parseRoute("#/compare?panels=<script>")).toMatchObject({ panels: "" });
  });

  it("move past each other, not over an end", () => {
    const [a, b, c] = [newPanel("curves"), newPanel("metrics"), newPanel("text")];
    expect(moved([a, b, c], 0, 2)).toEqual([b, c, a]);
    expect(moved([a, b, c], 0, -1)).toEqual([a, b, c]);
    expect(moved([a, b, c], 2, 3)).toEqual([a, b, c]);
  });
});

/** Each token as a colour of its name. */
const colour = new Proxy(
  {},
  { get: (_, name) => `rgb(${String(name).length}, 0, 0)` },
) as PlotTheme["colour"];
const theme: PlotTheme = { colour, members: ["red"], fitness: ["blue"], font: "12px Test, sans-serif" };
const style = { theme, views: NO_PLOT_VIEWS, moment: "November 28, 2026" };

describe("a report", () => {
  const runs = comparedRuns([
    { name: "<b>First</b>", lr: 0.1, seed: 1 },
    { name: "Second", lr: 0.2, seed: 1 },
  ]);
  const panels = [
    { ...newPanel("text"), name: "What & why", text: "One.\n\nTwo <i>,\nthree." },
    newPanel("curves"),
    newPanel("config"),
    newPanel("metrics"),
    newPanel("pair"),
  ];
  const html = reportOf(panels, { runs, lost: ["gone<i>"] }, style);

  it("has texts, charts and tables in their order, and needs nothing else", () => {
    expect(html).toContain("<h1>What &#38; why</h1>");
    expect(html).toContain("<p>One.</p><p>Two &#60;i&#62;,<br>three.</p>");
    expect(html.indexOf("<h2>Curves</h2>")).toBeLessThan(html.indexOf("<h2>Configuration</h2>"));
    expect(html.match(/<svg/g)).toHaveLength(1);
    expect(html).toContain(
      '<th scope="row">algorithm.lr</th><td class="number">0.1</td><td class="number">0.2</td>',
    );
    expect(html).toContain('<th scope="row">best fitness so far</th><td class="number">3</td>');
    expect(html).not.toMatch(/<script|<link|src=|href=|url\((?!#)|NaN/);
  });

  it("writes names as they are, whatever they contain", () => {
    expect(html).toContain("&#60;b&#62;First&#60;/b&#62;, lr 0.1");
    expect(html).not.toContain("<b>");
  });

  it("calls the fitness of games a rating, and that of others beside them its name", () => {
    const game = { lr: 0.1, seed: 1, environment: "rlkit/TicTacToe" };
    const games = reportOf(panels, { runs: comparedRuns([game, { ...game, lr: 0.2 }]), lost: [] }, style);
    expect(games).not.toMatch(/fitness/i);
    for (const shown of ["best rating so far", "Best rating", "last best rating"])
      expect(games).toContain(shown);
    const mixed = reportOf(panels, { runs: comparedRuns([game, { lr: 0.1, seed: 1 }]), lost: [] }, style);
    for (const shown of ["best rating so far in rlkit/TicTacToe", "best fitness so far in CartPole-v1"])
      expect(mixed).toContain(shown);
    expect(mixed).toContain("Best fitness");
  });

  it("has each run behind its colour, and says which runs it leaves out", () => {
    const swatches = html.match(/<i style="background:rgb\(6, 0, 0\)"><\/i> (Second, lr 0.2|B)/g);
    // In the tables of values, metrics and runs, and in that of the pair.
    expect(swatches).toHaveLength(4);
    expect(html).toContain("Run gone&#60;i&#62; could not be opened, and is left out.");
    expect(html).toContain("Not enough evidence: the mean of A minus B is");
  });
});
