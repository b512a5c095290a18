import type { ReactNode, PointerEvent as ReactPointerEvent } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { Plot } from "../../../../src/ui/components/plot/Plot.tsx";
import { type Descendants, RowSpread } from "../../../../src/ui/pages/run/charts/descentModel.ts";
import { fitnessModel } from "../../../../src/ui/pages/run/fitness/fitnessModel.ts";
import { fitnessLegend, fitnessPlot } from "../../../../src/ui/pages/run/fitness/fitnessPlot.ts";
import { hasMoved } from "../../../../src/ui/state/highlight.ts";
import { Workbench, WorkbenchContext } from "../../../../src/ui/state/Workbench.ts";
import { descendantsOf, type Member } from "../../../ui/inside/support/descendants.ts";
import { FakeCoordinator } from "../../../ui/inside/support/fakeCoordinator.ts";

/** As long as a timer can wait: no test depends on the clock. */
const NEVER = 2 ** 31 - 1;

const workbench = new Workbench(new FakeCoordinator(), NEVER);

/** The fitness chart of members over the steps. */
function chartOf(all: Descendants, target: number | null = null): ReactNode {
  const model = fitnessModel(all, target);
  return (
    <WorkbenchContext value={workbench}>
      <Plot
        title="Fitness"
        summary=""
        model={fitnessPlot(model, "steps", new RowSpread())}
        legend={fitnessLegend(model, null)}
        onChoose={() => undefined}
      />
    </WorkbenchContext>
  );
}

/** A population in which everybody goes on. */
const lasting = (members: number, generations: number) =>
  descendantsOf(
    Array.from({ length: generations }, (_, at) =>
      Array.from({ length: members }, (_, slot): Member => [slot, at === 0 ? null : slot, 10 * at + slot]),
    ),
  );

/** Shows a chart, and another one in its place. */
function shown(chart: ReactNode): {
  readonly container: HTMLElement;
  readonly show: (next: ReactNode) => void;
} {
  const container = document.createElement("div");
  container.style.width = "900px";
  document.body.append(container);
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  root.render(chart);
  return { container, show: (next) => root.render(next) };
}

const count = (container: HTMLElement, selector: string): number =>
  container.querySelectorAll(selector).length;

/** The number of dots that a chart has drawn. */
const dots = (container: HTMLElement) => container.querySelector<HTMLElement>(".plot__dots")?.dataset.dots;

/** Where the chart hears of the pointer, once it is there. */
async function pointedAt(container: HTMLElement): Promise<Element> {
  await expect.poll(() => count(container, ".plot__handle")).toBe(1);
  const target = container.querySelector(".plot__handle");
  if (target === null) throw new Error("The chart has no place for the pointer.");
  return target;
}

it("leaves the target's name to the legend, where no line crosses it, and room for the last label", async () => {
  const { container } = shown(chartOf(lasting(2, 3), 25));
  await pointedAt(container);
  await expect.poll(() => count(container, ".plot__surface text")).toBeGreaterThan(1);
  expect(
    [...container.querySelectorAll("svg text")].map(({ textContent }) => textContent).join(),
  ).not.toMatch(/target/);
  expect(container.querySelector(".legend")?.textContent).toContain("target 25.0");
  const edge = container.querySelector("svg.plot__surface")?.getBoundingClientRect().right ?? 0;
  for (const label of container.querySelectorAll(".plot__surface text"))
    expect(label.getBoundingClientRect().right).toBeLessThanOrEqual(edge);
});

it("draws a line for each agent of the member that is looked at, within the axis", async () => {
  const all = lasting(2, 3);
  const agent_fitness = {
    speaker_0: Float64Array.of(-10, -10, -11, -11, -12, -12),
    listener_0: new Float64Array(6).fill(-90),
  };
  const { container } = shown(chartOf({ ...all, columns: { ...all.columns, agent_fitness } }));
  const agents = ".plot-line--speaker-0 path, .plot-line--listener-0 path";
  await expect.poll(() => count(container, agents)).toBe(2);
  expect(container.textContent).toContain("-100");
  const dashes = [...container.querySelectorAll(agents)].map((line) => line.getAttribute("stroke-dasharray"));
  expect(new Set(dashes).size).toBe(2);
});

it("draws 16 members over 199 generations with few elements, and more as bands", async () => {
  const few = shown(chartOf(lasting(16, 199)));
  await expect.poll(() => count(few.container, ".plot-strand--living")).toBe(8);
  const path = few.container.querySelector(".plot-strand--living")?.getAttribute("d") ?? "";
  expect(path.match(/M/g)).toHaveLength(2 * 198);
  expect(count(few.container, ".plot-line--elite path")).toBe(1);
  expect(count(few.container, "svg *")).toBeLessThan(150);
  const many = shown(chartOf(lasting(17, 20)));
  await expect.poll(() => count(many.container, ".plot-band")).toBe(2);
  expect(count(many.container, ".plot-strand--living")).toBe(0);
});

it("keeps its cursor on a generation while the axis moves", async () => {
  const { container, show } = shown(chartOf(lasting(2, 5)));
  const target = await pointedAt(container);
  const { left, top, width, height } = target.getBoundingClientRect();
  const at = { clientX: left + width * 0.74, clientY: top + height / 2, bubbles: true };
  target.dispatchEvent(new PointerEvent("pointermove", at));
  target.dispatchEvent(new PointerEvent("pointermove", { ...at, clientX: at.clientX + 1 }));
  const cursor = () => Number(container.querySelector(".plot__cursor")?.getAttribute("x1"));
  const told = () => container.querySelector(".plot__tip p")?.textContent;
  await expect.poll(told).toContain("Generation 4");
  const before = cursor();
  show(chartOf(lasting(2, 9)));
  await expect.poll(cursor).toBeLessThan(before - 50);
  expect(told()).toContain("Generation 4");
});

it("dims nothing for a pointer that rests where the chart appears", async () => {
  const { container } = shown(chartOf(lasting(2, 5)));
  const target = await pointedAt(container);
  const { left, top, width, height } = target.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true };
  // The page has already heard of the pointer there; the test's event stands for React's.
  hasMoved(new PointerEvent("pointermove", at) as unknown as ReactPointerEvent);
  // As browsers tell of a pointer under which a page has changed: without a movement.
  for (const kind of ["pointerover", "pointerenter", "pointermove"])
    target.dispatchEvent(new PointerEvent(kind, at));
  target.dispatchEvent(new PointerEvent("pointermove", at));
  await expect.poll(() => count(container, ".plot-strands")).toBe(1);
  const opacity = () => getComputedStyle(container.querySelector(".plot-strands") ?? document.body).opacity;
  expect(count(container, ".plot__cursor")).toBe(0);
  expect(opacity()).toBe("1");
  target.dispatchEvent(new PointerEvent("pointermove", { ...at, clientX: at.clientX + 3 }));
  await expect.poll(() => count(container, ".plot__cursor")).toBe(1);
});

it("draws evaluations of some generations as dots that lines join, and a single one as dots", async () => {
  const evaluatedEvery = (interval: number, generations: number) =>
    descendantsOf(
      Array.from({ length: generations }, (_, at) =>
        [0, 1, 2].map(
          (slot): Member => [
            slot,
            at === 0 ? null : slot,
            (at + 1) % interval === 0 ? 10 * at + slot : Number.NaN,
          ],
        ),
      ),
    );
  const some = shown(chartOf(evaluatedEvery(10, 40)));
  await expect.poll(() => dots(some.container)).toBe(String(4 * 3));
  await expect.poll(() => count(some.container, ".plot-line--elite path")).toBe(1);
  expect(
    some.container.querySelector(".plot-line--elite path")?.getAttribute("d")?.match(/[LC]/g),
  ).toHaveLength(3);
  const single = shown(chartOf(evaluatedEvery(10, 12)));
  await expect.poll(() => dots(single.container)).toBe("3");
  const all = shown(chartOf(lasting(3, 12)));
  await expect.poll(() => count(all.container, ".plot-line--elite path")).toBe(1);
  expect(dots(all.container)).toBeUndefined();
});
