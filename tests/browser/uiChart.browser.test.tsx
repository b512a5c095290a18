import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { FitnessChart } from "../../src/ui/pages/run/FitnessChart.tsx";
import { chartRows } from "../../src/ui/series/chartRows.ts";
import { FitnessSeries } from "../../src/ui/series/FitnessSeries.ts";
import { generationReport } from "../ui/support/reports.ts";

const SLOTS = 8;

function longSeries(length: number): FitnessSeries {
  const series = new FitnessSeries(SLOTS);
  const { seconds } = generationReport(1, new Array<number>(SLOTS).fill(0));
  for (let index = 0; index < length; index += 1) {
    const fitnesses = Array.from(
      { length: SLOTS },
      (_value, slot) => 100 * Math.sin(index / 500 + slot) + (index % 97),
    );
    series.append({ seconds, generation: index + 1, global_step: index * 1000, fitnesses });
  }
  return series;
}

/** Corners of a line in an SVG path. */
const vertices = (path: Element): number => (path.getAttribute("d")?.match(/[MLHVC]/g) ?? []).length;

/** The chart's element, once React has it. */
function drawn(chart: ReactNode): HTMLElement {
  const container = document.createElement("div");
  container.style.width = "900px";
  document.body.append(container);
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  root.render(chart);
  return container;
}

it("draws a line for each agent of the member that is looked at, within the axis", async () => {
  const series = new FitnessSeries(2);
  for (const index of [0, 1, 2]) {
    const report = generationReport(index + 1, [-30, -20]);
    const agent_fitness = { speaker_0: -10 - index, listener_0: -90 };
    series.append({ ...report, members: report.members.map((member) => ({ ...member, agent_fitness })) });
  }
  const rows = chartRows(series, "steps", { selected: 1 });
  const container = drawn(
    <FitnessChart rows={rows} slots={2} agents={2} selected={1} axis="steps" target={null} />,
  );
  await expect.poll(() => container.querySelectorAll(".fitness-agent path").length).toBe(2);
  expect(container.textContent).toContain("-100");
  const dashes = [...container.querySelectorAll(".fitness-agent path")].map((line) =>
    line.getAttribute("stroke-dasharray"),
  );
  expect(new Set(dashes).size).toBe(2);
});

it("draws 8 lines of 100,000 points each with few corners", async () => {
  const rows = chartRows(longSeries(100_000), "steps");
  const container = drawn(
    <FitnessChart rows={rows} slots={SLOTS} agents={0} selected={null} axis="steps" target={150} />,
  );
  await expect.poll(() => container.querySelectorAll(".fitness-line path").length).toBe(SLOTS);
  for (const line of container.querySelectorAll(".fitness-line path")) {
    expect(vertices(line)).toBeGreaterThan(300);
    expect(vertices(line)).toBeLessThanOrEqual(500);
  }
  expect(container.querySelectorAll("svg *").length).toBeLessThan(400);
  expect(container.querySelector("svg.recharts-surface")?.getBoundingClientRect().width).toBe(900);
});
