import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, onTestFinished } from "vitest";
import { FitnessChart } from "../../../../src/ui/pages/run/fitness/FitnessChart.tsx";
import { FitnessLegend } from "../../../../src/ui/pages/run/fitness/FitnessLegend.tsx";
import { fitnessModel } from "../../../../src/ui/pages/run/fitness/fitnessModel.ts";
import { descendantsOf, type Member } from "../../../ui/inside/support/descendants.ts";

const plain = { axis: "steps", smoothing: "none", target: null } as const;

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

const choose = (): void => undefined;
const count = (container: HTMLElement, selector: string): number =>
  container.querySelectorAll(selector).length;

/** Where the chart hears of the pointer, once it is there. */
async function pointedAt(container: HTMLElement): Promise<Element> {
  await expect.poll(() => count(container, ".fitness-target")).toBe(1);
  const target = container.querySelector(".fitness-target");
  if (target === null) throw new Error("The chart has no place for the pointer.");
  return target;
}

it("leaves the target's name to the legend, where no line crosses it, and room for the last label", async () => {
  const model = fitnessModel(lasting(2, 3), { ...plain, target: 25 });
  const { container } = shown(
    <>
      <FitnessChart model={model} onChoose={choose} />
      <FitnessLegend model={model} />
    </>,
  );
  await pointedAt(container);
  expect(
    [...container.querySelectorAll("svg text")].map(({ textContent }) => textContent).join(),
  ).not.toMatch(/target/);
  expect(container.querySelector(".legend")?.textContent).toContain("target 25.0");
  const edge = container.querySelector("svg.recharts-surface")?.getBoundingClientRect().right ?? 0;
  for (const label of container.querySelectorAll(".recharts-xAxis text"))
    expect(label.getBoundingClientRect().right).toBeLessThanOrEqual(edge);
});

it("draws a line for each agent of the member that is looked at, within the axis", async () => {
  const all = lasting(2, 3);
  const agent_fitness = {
    speaker_0: Float64Array.of(-10, -10, -11, -11, -12, -12),
    listener_0: new Float64Array(6).fill(-90),
  };
  const model = fitnessModel({ ...all, columns: { ...all.columns, agent_fitness } }, plain);
  const { container } = shown(<FitnessChart model={model} onChoose={choose} />);
  await expect.poll(() => count(container, ".fitness-agent path")).toBe(2);
  expect(container.textContent).toContain("-100");
  const dashes = [...container.querySelectorAll(".fitness-agent path")].map((line) =>
    line.getAttribute("stroke-dasharray"),
  );
  expect(new Set(dashes).size).toBe(2);
});

it("draws 16 members over 199 generations with few elements, and more as bands", async () => {
  const few = shown(<FitnessChart model={fitnessModel(lasting(16, 199), plain)} onChoose={choose} />);
  await expect.poll(() => count(few.container, ".fitness-descent__living")).toBe(8);
  const path = few.container.querySelector(".fitness-descent__living")?.getAttribute("d") ?? "";
  expect(path.match(/M/g)).toHaveLength(2 * 198);
  expect(count(few.container, ".fitness-elite path")).toBe(1);
  expect(count(few.container, "svg *")).toBeLessThan(150);
  const many = shown(<FitnessChart model={fitnessModel(lasting(17, 20), plain)} onChoose={choose} />);
  await expect.poll(() => count(many.container, ".fitness-spread path")).toBe(2);
  expect(count(many.container, ".fitness-descent__living")).toBe(0);
});

it("keeps its cursor on a generation while the axis moves", async () => {
  const { container, show } = shown(
    <FitnessChart model={fitnessModel(lasting(2, 5), plain)} onChoose={choose} />,
  );
  const target = await pointedAt(container);
  const { left, top, width, height } = target.getBoundingClientRect();
  const at = { clientX: left + width * 0.74, clientY: top + height / 2, bubbles: true };
  target.dispatchEvent(new PointerEvent("pointermove", at));
  target.dispatchEvent(new PointerEvent("pointermove", { ...at, clientX: at.clientX + 1 }));
  const cursor = () => Number(container.querySelector(".fitness-cursor")?.getAttribute("x1"));
  const told = () => container.querySelector(".fitness-tooltip p")?.textContent;
  await expect.poll(told).toContain("Generation 4");
  const before = cursor();
  show(<FitnessChart model={fitnessModel(lasting(2, 9), plain)} onChoose={choose} />);
  await expect.poll(cursor).toBeLessThan(before - 50);
  expect(told()).toContain("Generation 4");
});

it("dims nothing for a pointer that rests where the chart appears", async () => {
  const { container } = shown(<FitnessChart model={fitnessModel(lasting(2, 5), plain)} onChoose={choose} />);
  const target = await pointedAt(container);
  const { left, top, width, height } = target.getBoundingClientRect();
  const at = { clientX: left + width / 2, clientY: top + height / 2, bubbles: true };
  // As browsers tell of a pointer under which a page has changed: without a movement.
  for (const kind of ["pointerover", "pointerenter", "pointermove"])
    target.dispatchEvent(new PointerEvent(kind, at));
  target.dispatchEvent(new PointerEvent("pointermove", at));
  const opacity = () => container.querySelector(".fitness-descent__living")?.getAttribute("stroke-opacity");
  expect(count(container, ".fitness-cursor")).toBe(0);
  expect(opacity()).toBe("0.7");
  target.dispatchEvent(new PointerEvent("pointermove", { ...at, clientX: at.clientX + 3 }));
  await expect.poll(() => count(container, ".fitness-cursor")).toBe(1);
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
  const some = shown(<FitnessChart model={fitnessModel(evaluatedEvery(10, 40), plain)} onChoose={choose} />);
  await expect.poll(() => count(some.container, ".fitness-descent__dot")).toBe(4 * 3);
  expect(some.container.querySelector(".fitness-elite path")?.getAttribute("d")?.match(/[LC]/g)).toHaveLength(
    3,
  );
  const single = shown(
    <FitnessChart model={fitnessModel(evaluatedEvery(10, 12), plain)} onChoose={choose} />,
  );
  await expect.poll(() => count(single.container, ".fitness-descent__dot")).toBe(3);
  const all = shown(<FitnessChart model={fitnessModel(lasting(3, 12), plain)} onChoose={choose} />);
  await expect.poll(() => count(all.container, ".fitness-elite path")).toBe(1);
  expect(count(all.container, ".fitness-descent__dot")).toBe(0);
});
