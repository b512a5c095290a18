import { describe, expect, it } from "vitest";
import { makePaint } from "../../../src/tracking/consoleStream.ts";
import { generationTable } from "../../../src/tracking/generationTable.ts";
import { generation, member } from "../reports.ts";

/** The table as label -> cells; lines of rules are null. */
const rowsOf = (lines: readonly string[]): (readonly string[] | null)[] =>
  lines.slice(1).map((line) =>
    line.startsWith("│")
      ? line
          .slice(1, -1)
          .split("│")
          .map((cell) => cell.trim())
      : null,
  );

const cellsOf = (lines: readonly string[], label: string): readonly string[] | undefined =>
  rowsOf(lines)
    .find((row) => row?.[0] === label)
    ?.slice(1);

describe("generationTable", () => {
  it("has the title, a column for each agent, the mean, and the sections in their order", () => {
    const lines = generationTable(generation([member(0, { index: 4 }), member(1, { index: 7 })]));
    expect(lines[0]).toBe("Global Steps: 1_234_567");
    const rows = rowsOf(lines);
    expect(rows[1]).toEqual(["Metric", "Agent 4", "Agent 7", "Mean"]);
    const sections = rows.map((row) => row?.[0] ?? "---").slice(2);
    expect(sections).toEqual(
      "--- fitness --- score loss --- lr batch_size --- steps last_mutation steps/s ---".split(" "),
    );
    expect(cellsOf(lines, "fitness")).toEqual(["10.5000", "21", "15.7500"]);
    expect(cellsOf(lines, "lr")).toEqual(["1.25e-04", "1.25e-04", "1.25e-04"]);
    expect(cellsOf(lines, "last_mutation")).toEqual(["None", "None", ""]);
    expect(cellsOf(lines, "steps/s")).toEqual(["3000", "3000", "3000"]);
  });

  it("has a row for subpopulations where there are some", () => {
    const lines = generationTable(
      generation([member(0, { subpopulation: 0 }), member(1, { subpopulation: 1 })]),
    );
    expect(cellsOf(lines, "subpopulation")).toEqual(["0", "1", ""]);
    expect(cellsOf(generationTable(generation([member(0)])), "subpopulation")).toBeUndefined();
  });

  it("has a row for each of several agents that live in a member, a gap where one failed", () => {
    const lines = generationTable(
      generation([
        member(0, { agent_fitness: { speaker_0: -4, listener_0: -6 } }),
        member(1, { fitness: Number.NaN }),
      ]),
    );
    expect(cellsOf(lines, "fitness/speaker_0")).toEqual(["-4", "-", "-4"]);
    expect(cellsOf(lines, "fitness/listener_0")).toEqual(["-6", "-", "-6"]);
    expect(rowsOf(lines).map((row) => row?.[0])).not.toContain("fitness/");
  });

  it("has no mean for one agent", () => {
    const lines = generationTable(generation([member(0)]));
    expect(rowsOf(lines)[1]).toEqual(["Metric", "Agent 0"]);
  });

  it("leaves a value out of the mean that a member lacks", () => {
    const members = [member(0, { fitness: Number.NaN, score: null }), member(1), member(2, { metrics: {} })];
    const lines = generationTable(generation(members));
    expect(cellsOf(lines, "fitness")).toEqual(["-", "21", "31.5000", "26.2500"]);
    expect(cellsOf(lines, "score")).toEqual(["-", "21", "22", "21.5000"]);
    expect(cellsOf(lines, "loss")).toEqual(["0.5000", "0.5000", "-", "0.5000"]);
  });

  it("shows the hyperparameters that were asked for", () => {
    const lines = generationTable(generation([member(0)]), { hyperparameters: ["lr"] });
    expect(cellsOf(lines, "lr")).toEqual(["1.25e-04"]);
    expect(cellsOf(lines, "batch_size")).toBeUndefined();
  });

  it("splits members over several tables that fit, each member in one, the mean in the last", () => {
    const members = Array.from({ length: 9 }, (_, slot) => member(slot));
    const lines = generationTable(generation(members), { columns: 60 });
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(60);
    const headings = rowsOf(lines).filter((row) => row?.[0] === "Metric");
    expect(headings.length).toBeGreaterThan(1);
    expect(headings.flatMap((row) => row?.slice(1) ?? [])).toEqual([
      ...members.map(({ index }) => `Agent ${index}`),
      "Mean",
    ]);
  });

  it("keeps every line of a table equally long, colours aside", () => {
    const report = generation([member(0), member(1, { mutation: "actor.encoder.add_layer" })]);
    const plain = generationTable(report);
    expect(new Set(plain.slice(1).map((line) => line.length)).size).toBe(1);
    const coloured = generationTable(report, { paint: makePaint(true) });
    expect(coloured.join("\n")).toContain("\x1b[32m");
    expect(coloured.map((line) => line.replace(/\x1b\[\d+m/g, ""))).toEqual(plain);
  });
});
