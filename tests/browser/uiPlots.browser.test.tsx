import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderApp } from "../ui/inside/support/renderApp.tsx";
import { axeFaults } from "../ui/support/axeFaults.ts";
import { savedFiles } from "../ui/support/savedFiles.ts";
import { manifest, withRun } from "../ui/support/withRun.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const hash = () => window.location.hash;

/** The part of a chart that takes the pointer and the keys, once it is drawn. */
async function handleOf(title: string) {
  const handle = page.getByRole("slider", { name: `Crosshair of ${title}`, exact: true });
  await expect.element(handle).toBeVisible();
  return handle;
}

/** The labels below a chart. */
const labelsOf = (title: string): string =>
  [...(page.getByRole("figure", { name: title, exact: true }).element().querySelectorAll("text") ?? [])]
    .map(({ textContent }) => textContent)
    .join(" ");

describe("charts", () => {
  it("zoom together by a drag, as their address says, and show all by a double click", async () => {
    const { complaints } = renderApp("#/runs/run-1?tab=metrics", withRun(9));
    const fitness = await handleOf("fitness");
    await handleOf("score");
    await expect.poll(() => labelsOf("score")).not.toBe("");
    const whole = labelsOf("score");
    await userEvent.dragAndDrop(fitness, fitness, {
      sourcePosition: { x: 60, y: 40 },
      targetPosition: { x: 140, y: 60 },
    });
    await expect.poll(hash).toMatch(/[?&]plot=x_generation_\d/);
    await expect.element(button("Show all of score")).toBeVisible();
    await expect.poll(() => labelsOf("score")).not.toBe(whole);
    await userEvent.dblClick(await handleOf("score"));
    await expect.poll(hash).toBe("#/runs/run-1?tab=metrics");
    await expect.poll(() => labelsOf("score")).toBe(whole);
    expect(complaints).toEqual([]);
  });

  it("are used by keys alone: crosshair of all, zoom, and all again", async () => {
    renderApp("#/runs/run-1?tab=metrics", withRun(9));
    const fitness = await handleOf("fitness");
    const score = await handleOf("score");
    (fitness.element() as HTMLElement).focus();
    await userEvent.keyboard("{Home}{ArrowRight}{ArrowRight}");
    for (const one of [fitness, score])
      await expect.element(one).toHaveAttribute("aria-valuetext", expect.stringMatching(/^generation 3/));
    await userEvent.keyboard("{End}{ArrowLeft}");
    await expect
      .element(fitness)
      .toHaveAttribute("aria-valuetext", expect.stringMatching(/^generation 8: .*elite/));
    await userEvent.keyboard("+");
    await expect.poll(hash).toContain("plot=x_generation_");
    await userEvent.keyboard("0");
    await expect.poll(hash).not.toContain("plot=");
    await userEvent.keyboard("l");
    await expect.poll(hash).toContain("plot=l_fitness");
    await userEvent.keyboard("{Escape}");
    await expect.element(fitness).toHaveAttribute("aria-valuetext", "none");
  });

  it("hide lines by the legend, or all others", async () => {
    renderApp("#/runs/run-1", withRun(5));
    const elite = page.getByRole("button", { name: "elite and its ancestors" });
    const lines = () =>
      ["elite", "best-so-far"].map((name) => document.querySelectorAll(`.plot-line--${name} path`).length);
    await expect.poll(lines).toEqual([1, 1]);
    await elite.click();
    await expect.poll(lines).toEqual([0, 1]);
    await expect.element(elite).toHaveAttribute("aria-pressed", "false");
    await expect.poll(hash).toContain("plot=h_elite");
    await elite.click();
    await expect.poll(lines).toEqual([1, 1]);
    await elite.click({ modifiers: ["Alt"] });
    await expect.poll(lines).toEqual([1, 0]);
    await elite.click({ modifiers: ["Alt"] });
    await expect.poll(lines).toEqual([1, 1]);
  });

  it("smooth their lines over the raw ones, and take all of it from the address", async () => {
    renderApp("#/runs/run-1?plot=s_0.8*h_best-so-far", withRun(9));
    await expect.element(page.getByRole("slider", { name: /^Smoothing/ })).toHaveValue("0.8");
    const path = (selector: string) => document.querySelector(`${selector} path`)?.getAttribute("d");
    await expect.poll(() => path(".plot-line--raw")).toBeTruthy();
    expect(path(".plot-line--elite:not(.plot-line--raw)")).not.toBe(path(".plot-line--raw"));
    expect(document.querySelectorAll(".plot-line--best-so-far")).toHaveLength(0);
    await page.getByRole("slider", { name: /^Smoothing/ }).fill("0");
    await expect.poll(hash).toBe("#/runs/run-1?plot=h_best-so-far");
  });

  it("follow an address that is opened right after a change, which is then void", async () => {
    renderApp("#/runs/run-1", withRun(9));
    const smoothing = page.getByRole("slider", { name: /^Smoothing/ });
    const elite = page.getByRole("button", { name: "elite and its ancestors" });
    await expect.element(elite).toBeVisible();
    (elite.element() as HTMLElement).click();
    window.location.hash = "#/runs/run-1?plot=s_0.8";
    await expect.element(smoothing).toHaveValue("0.8");
    // Longer than a change waits for its address.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(hash()).toBe("#/runs/run-1?plot=s_0.8");
  });

  it("show episodes of training before the first generation has ended", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(0));
    await expect.element(page.getByRole("region", { name: "Fitness", exact: true })).toBeVisible();
    const report = {
      event: "progress" as const,
      generation: 1,
      global_step: 400,
      total_steps: 60_000,
      steps_per_second: 1000,
      learn_steps_per_second: 100,
      episodes: [
        { index: 0, step: 40, return: 21 },
        { index: 1, step: 80, return: 35 },
      ],
    };
    fake.runs.get("run-1")?.options.emit({ kind: "progress", run: "run-1", report });
    await expect.poll(() => document.querySelector<HTMLElement>(".plot__dots")?.dataset.dots).toBe("2");
    await expect.element(page.getByRole("button", { name: "episodes of training" })).toBeVisible();
  });

  it("mark when the target is reached, and share the champion", async () => {
    const { fake } = renderApp("#/runs/run-1", (coordinator) => {
      const run = coordinator.add({ ...manifest, training: { pop_size: 4, target_score: 1 } });
      for (let generation = 0; generation < 3; generation += 1) run.generation();
    });
    const fitness = page.getByRole("region", { name: "Fitness", exact: true });
    await expect.element(fitness).toHaveTextContent("Target 1.0 reached in generation 1");
    vi.spyOn(fake.coordinator, "agent").mockRejectedValue(new Error("No agent is stored."));
    await button("Share").click();
    await expect
      .element(page.getByRole("dialog", { name: "Share the champion" }))
      .toHaveTextContent("No agent is stored.");
  });

  it("are saved as they are shown, and as numbers", async () => {
    renderApp("#/runs/run-1?axis=generation", withRun(3));
    await handleOf("Fitness");
    const saved = savedFiles();
    for (const kind of ["CSV", "SVG"]) {
      await button("Options of Fitness").click();
      await page.getByRole("menuitem", { name: `Download ${kind}` }).click();
    }
    await expect.poll(() => [...saved.keys()]).toEqual(["fitness.csv", "fitness.svg"]);
    const [head, ...rows] = (await saved.get("fitness.csv"))?.trim().split("\r\n") ?? [];
    expect(head).toMatch(/^generation,lowest,.*,best so far,elite/);
    expect(rows).toHaveLength(3);
    const svg = new DOMParser().parseFromString((await saved.get("fitness.svg")) ?? "", "image/svg+xml");
    expect(svg.querySelector("parsererror")).toBeNull();
    expect(svg.documentElement.textContent).toContain("elite and its ancestors");
  });

  it.each(["light", "dark"])("have a menu that axe finds nothing in, %s", async (theme) => {
    document.documentElement.dataset.theme = theme;
    onTestFinished(() => {
      delete document.documentElement.dataset.theme;
    });
    renderApp("#/runs/run-1?plot=s_0.5*x_steps_20000_60000*h_elite", withRun(5));
    await handleOf("Fitness");
    await button("Options of Fitness").click();
    await expect.element(page.getByRole("menuitemcheckbox", { name: /^Logarithmic values/ })).toBeVisible();
    expect(await axeFaults({ include: [".menu"] })).toEqual([]);
    await userEvent.keyboard("{Escape}");
    await expect.element(page.getByRole("menu")).not.toBeInTheDocument();
    expect(await axeFaults({ include: [".plot"] })).toEqual([]);
  });
});
