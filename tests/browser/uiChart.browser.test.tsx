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

it("draws 8 lines of 100,000 points each with few corners", async () => {
  const rows = chartRows(longSeries(100_000), "steps");
  const container = document.createElement("div");
  container.style.width = "900px";
  document.body.append(container);
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  root.render(
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
