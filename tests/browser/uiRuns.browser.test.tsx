import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { templates } from "../../src/specs/templates/templates.ts";
import { yieldToEvents } from "../../src/training/loop/Gate.ts";
import { hasWasmSimd } from "../../src/ui/lib/capabilities.ts";
import type { FakeCoordinator } from "../ui/support/fakeCoordinator.ts";
import { renderApp } from "../ui/support/renderApp.tsx";

const manifest = { ...templates[0]?.manifest };

/** A coordinator with one run that has trained for some generations. */
const withRun =
  (generations: number) =>
  (fake: FakeCoordinator): void => {
    const run = fake.add(manifest, { name: "My run" });
    for (let generation = 0; generation < generations; generation += 1) run.generation();
  };

/** Resolves when the element is out of view and the page knows it: observers hear in the order in which they began. */
async function untilOutOfView(element: Element): Promise<void> {
  await new Promise<void>((resolve) => {
    const observer = new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting !== false) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(element);
  });
  // React hands work to itself by messages, which come in their order.
  await yieldToEvents();
}

const button = (name: string) => page.getByRole("button", { name, exact: true });

describe("the first screen", () => {
  it("starts a template with one click and shows the run", async () => {
    const { fake, complaints } = renderApp("#/");
    const card = page.getByRole("article", { name: "PPO CartPole", exact: true });
    await card.getByRole("button", { name: "Start", exact: true }).click();
    await expect.element(page.getByRole("heading", { level: 1, name: "PPO CartPole" })).toBeVisible();
    expect(fake.started).toEqual([templates.find(({ id }) => id === "ppo-cartpole")?.manifest]);
    expect(window.location.hash).toBe("#/runs/run-1");
    expect(complaints).toEqual([]);
  });

  it("offers every template", async () => {
    renderApp("#/");
    await expect.element(button("Start").first()).toBeVisible();
    expect(button("Start").elements()).toHaveLength(templates.length);
  });

  it("says so when a start fails, and lets one try again", async () => {
    const { fake } = renderApp("#/");
    fake.nextError = new Error("The disk is full; delete a run.");
    await button("Start").first().click();
    await expect.element(page.getByRole("alert")).toHaveTextContent("The disk is full; delete a run.");
    await button("Dismiss").click();
    await button("Start").first().click();
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 0");
  });

  it("lists earlier runs and resumes an interrupted one", async () => {
    const { fake } = renderApp("#/", (coordinator) => {
      withRun(3)(coordinator);
      coordinator.runs.get("run-1")?.setState("interrupted");
    });
    const row = page.getByRole("row", { name: /My run/ });
    await expect.element(row).toHaveTextContent("interrupted");
    await row.getByRole("button", { name: "Resume", exact: true }).click();
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 3");
    expect(fake.runs.get("run-1")?.state).toBe("running");
  });

  it("shows the newest of many runs, and all of them on request", async () => {
    renderApp("#/", (fake) => {
      for (let i = 0; i < 203; i++) fake.add({}, { name: `Run number ${i}` });
    });
    const rows = page.getByRole("region", { name: "Runs" }).getByRole("row");
    await expect.poll(() => rows.elements().length).toBe(1 + 200);
    await page.getByRole("button", { name: "Show all 203 runs" }).click();
    await expect.poll(() => rows.elements().length).toBe(1 + 203);
    await expect.element(page.getByRole("button", { name: /Show all/ })).not.toBeInTheDocument();
  });

  it("asks before it deletes a run", async () => {
    const { fake } = renderApp("#/", withRun(1));
    await button("Delete").click();
    expect(fake.runs.size).toBe(1);
    await button("Delete for good").click();
    await expect.element(page.getByText("No runs yet.", { exact: false })).toBeVisible();
    expect(fake.runs.size).toBe(0);
  });

  it("warns when runs cannot be kept", async () => {
    renderApp("#/", (fake) => {
      fake.storageKind = "memory";
    });
    await expect.element(page.getByText("runs are lost when the tab closes", { exact: false })).toBeVisible();
  });
});

describe("the run's page", () => {
  it("has the names that the contract gives it", async () => {
    const { complaints } = renderApp("#/runs/run-1", withRun(4));
    await expect.element(page.getByRole("status")).toHaveTextContent(/^Generation 4$/);
    await expect.element(page.getByRole("region", { name: "Fitness", exact: true })).toBeVisible();
    for (const name of [
      "Pause",
      "Stop",
      "Export manifest",
      "Import manifest",
      "Download elite",
      "Download ONNX",
      "Download CSV",
      "Download events",
    ]) {
      await expect.element(button(name)).toBeVisible();
    }
    expect(complaints).toEqual([]);
  });

  it("saves the elite, its policy and the metrics under the names that the coordinator gives", async () => {
    renderApp("#/runs/run-1", withRun(1));
    const saved: [string, Promise<ArrayBuffer>][] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push([this.download, fetch(this.href).then((file) => file.arrayBuffer())]);
    });
    try {
      await button("Download elite").click();
      await expect.poll(() => saved.length).toBe(1);
      await button("Download ONNX").click();
      await expect.poll(() => saved.length).toBe(2);
      await button("Download CSV").click();
      await expect.poll(() => saved.length).toBe(3);
      await button("Download events").click();
      await expect.poll(() => saved.length).toBe(4);
    } finally {
      click.mockRestore();
    }
    const files = await Promise.all(
      saved.map(async ([name, bytes]) => [name, ...new Uint8Array(await bytes)]),
    );
    expect(files).toEqual([
      ["My run.safetensors", 1, 2, 3],
      ["My run.onnx", 4, 5, 6],
      ["My run.csv", 7],
      ["events.out.tfevents.1.My run", 8],
    ]);
  });

  it("pauses, resumes, stops and starts again, and keeps the focus on the way", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(1));
    await button("Pause").click();
    await expect.element(button("Resume")).toHaveFocus();
    expect(fake.runs.get("run-1")?.state).toBe("paused");
    await button("Resume").click();
    await expect.element(button("Pause")).toBeVisible();
    await button("Stop").click();
    await expect.element(button("Start")).toBeVisible();
    await button("Start").click();
    await expect.poll(() => window.location.hash).toBe("#/runs/run-2");
  });

  it("starts a run again with its seed and on its device", async () => {
    const options = { seed: 7, device: "wasm" } as const;
    const { fake } = renderApp("#/runs/run-1", (coordinator) => {
      coordinator.add(manifest, { ...options, name: "My run" }).setState("finished");
    });
    await button("Start").click();
    await expect.poll(() => window.location.hash).toBe("#/runs/run-2");
    expect(fake.runs.get("run-2")?.snapshot()).toMatchObject({
      manifest,
      options,
      summary: { name: "My run" },
    });
  });

  it("follows the training: status, table and chart", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(2));
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 2");
    fake.runs.get("run-1")?.generation();
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 3");
    await expect.element(page.getByText("after generation 3", { exact: true })).toBeVisible();
    expect(page.getByRole("button", { name: /^Member \d/ }).elements()).toHaveLength(4);
    await expect.poll(() => document.querySelectorAll(".fitness-line path").length).toBe(4);
  });

  it("shows the spread of a large population, and lines of the members that are looked at", async () => {
    renderApp("#/runs/run-1", (fake) => {
      const run = fake.add({ ...manifest, training: { pop_size: 64 } });
      for (let generation = 0; generation < 3; generation += 1) run.generation();
    });
    const chart = page.getByRole("region", { name: "Fitness", exact: true });
    await expect.poll(() => chart.element().querySelectorAll(".fitness-spread path").length).toBe(2);
    expect(chart.element().querySelectorAll(".fitness-median path, .fitness-elite path")).toHaveLength(2);
    const lines = () => chart.element().querySelectorAll(".fitness-line path").length;
    expect(lines()).toBe(0);
    await expect.element(chart.getByText("how the fitness of 64 agents is spread")).toBeInTheDocument();
    await page.getByRole("button", { name: /^Member 5\b/ }).click();
    await expect.poll(lines).toBe(1);
    expect(chart.element().querySelector(".fitness-line--5")).not.toBeNull();
    await expect.element(chart.getByRole("list", { name: "Lines" })).toHaveTextContent(/^ ?5/);
    await page.getByRole("button", { name: /^Member 9\b/ }).hover();
    await expect.poll(lines).toBe(2);
  });

  it("leaves the chart as it is while it is scrolled out of view, and catches up once", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(2));
    const best = () => document.querySelector(".fitness-best path")?.getAttribute("d");
    await expect.poll(best).toBeTruthy();
    const before = best();
    document.body.style.paddingBottom = "4000px";
    onTestFinished(() => document.body.removeAttribute("style"));
    window.scrollTo(0, 3000);
    await untilOutOfView(page.getByRole("region", { name: "Fitness", exact: true }).element());
    fake.runs.get("run-1")?.generation();
    fake.runs.get("run-1")?.generation();
    await expect.element(page.getByText("after generation 4", { exact: true })).toBeInTheDocument();
    expect(best()).toBe(before);
    window.scrollTo(0, 0);
    await expect.poll(best).not.toBe(before);
  });

  it("tells in every row of the table who the member is, and whose child", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(3));
    const table = page.getByRole("region", { name: "Population" }).getByRole("table");
    await expect.element(table).toBeVisible();
    const headings = table.getByRole("columnheader").elements();
    const column = (name: string): number => headings.findIndex(({ textContent }) => textContent === name);
    // By now children have indices that are no slots.
    const members = fake.runs.get("run-1")?.generations.at(-1)?.members ?? [];
    expect(members.some(({ slot, index }) => slot !== index)).toBe(true);
    const rows = table.getByRole("row").elements().slice(1);
    const cell = (row: Element, name: string) => row.children[column(name)]?.textContent;
    expect(rows.map((row) => [cell(row, "Index"), cell(row, "Parent")])).toEqual(
      members.map(({ index, parent }) => [`#${index}`, `#${parent}`]),
    );
    expect(table.getByRole("button", { name: /^Member \d(, elite)?$/ }).elements()).toHaveLength(4);
  });

  it("has its view state in the address", async () => {
    renderApp("#/runs/run-1?axis=time&view=table&generation=2&member=1", withRun(5));
    const fitness = page.getByRole("region", { name: "Fitness", exact: true });
    await expect
      .element(fitness.getByRole("button", { name: "Time" }))
      .toHaveAttribute("aria-pressed", "true");
    await expect.element(fitness.getByRole("table")).toBeVisible();
    await expect.element(page.getByText("after generation 2", { exact: true })).toBeVisible();
    await expect.element(page.getByRole("heading", { name: /^Member 1/ })).toBeVisible();
    await button("Later generation").click();
    await expect.poll(() => window.location.hash).toContain("generation=3");
    await fitness.getByRole("button", { name: "Steps" }).click();
    await expect.poll(() => window.location.hash).not.toContain("axis");
  });

  it("looks back at any generation, and from ancestor to ancestor to the first", async () => {
    const { fake, complaints } = renderApp("#/runs/run-1?generation=150&member=1", withRun(300));
    const population = page.getByRole("region", { name: "Population" });
    const reports = fake.runs.get("run-1")?.generations ?? [];
    const fitnessOf = (generation: number) => reports[generation - 1]?.members[1]?.fitness.toFixed(1) ?? "";
    await expect.element(page.getByText("after generation 150", { exact: true })).toBeVisible();
    await expect.element(population.getByRole("table")).toHaveTextContent(fitnessOf(150));
    const ancestors = () => population.element().querySelectorAll(".details__ancestry li").length;
    await expect.poll(ancestors).toBe(12);
    expect(fake.paged.every(([first, last]) => last - first < 64)).toBe(true);
    for (let at = 150; at > 1; ) {
      at = Math.max(1, at - 11);
      await population.getByRole("link", { name: `generation ${at}`, exact: true }).click();
      await expect.element(page.getByText(`after generation ${at}`, { exact: true })).toBeVisible();
      await expect.element(population.getByRole("table")).toHaveAttribute("aria-busy", "false");
      await expect.poll(ancestors).toBe(Math.min(12, at));
    }
    await expect.element(button("Earlier generation")).toBeDisabled();
    await expect.element(population.getByRole("table")).toHaveTextContent(fitnessOf(1));
    await button("Latest").click();
    await expect.element(page.getByText("after generation 300", { exact: true })).toBeVisible();
    expect(complaints).toEqual([]);
  });

  it("keeps what is looked back at while training goes on", async () => {
    const { fake } = renderApp("#/runs/run-1?generation=5&member=2", withRun(6));
    const population = page.getByRole("region", { name: "Population" });
    await expect.poll(() => population.element().querySelectorAll(".details__ancestry li").length).toBe(5);
    for (let more = 0; more < 100; more += 1) fake.runs.get("run-1")?.generation();
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 106");
    await expect.element(page.getByText("after generation 5", { exact: true })).toBeVisible();
    await expect.poll(() => population.element().querySelectorAll(".details__ancestry li").length).toBe(5);
    await population.getByRole("button", { name: /^Member 3\b/ }).click();
    await expect.poll(() => population.element().querySelectorAll(".details__ancestry li").length).toBe(5);
  });

  it("says which generations are lost, and why one cannot be read", async () => {
    const { fake } = renderApp("#/runs/run-1?generation=20", (coordinator) => {
      withRun(60)(coordinator);
      coordinator.lost = 30;
    });
    const population = page.getByRole("region", { name: "Population" });
    await expect.element(population).toHaveTextContent("Only the fitnesses of generation 20 are left");
    await expect.element(population.getByRole("table")).not.toBeInTheDocument();
    window.location.hash = "#/runs/run-1?generation=32&member=1";
    await expect
      .element(population)
      .toHaveTextContent("The log of earlier generations was deleted or damaged.");
    expect(population.element().querySelectorAll(".details__ancestry li")).toHaveLength(2);
    fake.nextError = new Error("The disk is gone.");
    window.location.hash = "#/runs/run-1?generation=50";
    await expect.element(population).toHaveTextContent("Generation 50 could not be read: The disk is gone.");
  });

  it("says what to do about a run that is not there", async () => {
    renderApp("#/runs/nothing");
    await expect.element(page.getByRole("heading", { name: "This run could not be opened" })).toBeVisible();
    await expect.element(page.getByText("There is no run nothing in this browser.")).toBeVisible();
  });

  it("shows why a run failed", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(2));
    await expect.element(button("Pause")).toBeVisible();
    fake.runs.get("run-1")?.setState("failed", "Member 2 has weights that are no numbers.");
    await expect.element(page.getByText("Member 2 has weights that are no numbers.")).toBeVisible();
    await expect.element(button("Resume")).toBeVisible();
  });

  it("plays the elite and starts over from another seed", async () => {
    renderApp("#/runs/run-1", withRun(2));
    const elite = page.getByRole("region", { name: "Elite at play" });
    await expect
      .element(elite.getByText("played by the elite of generation 2", { exact: false }))
      .toBeInTheDocument();
    await elite.getByRole("button", { name: "Hold" }).click();
    await expect.element(elite.getByRole("button", { name: "Play" })).toBeVisible();
  });
});

describe("the workbench", () => {
  it("says that the coordinator is lost, and offers to reload", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(1));
    await expect.element(button("Pause")).toBeVisible();
    fake.lose("The training thread stopped: out of memory");
    await expect.element(page.getByRole("alert")).toHaveTextContent("out of memory");
    await expect.element(button("Reload")).toBeVisible();
  });

  it("switches its theme and remembers it", async () => {
    renderApp("#/");
    const background = (): string => getComputedStyle(document.documentElement).backgroundColor;
    await button("Dark").click();
    const dark = background();
    expect(localStorage.getItem("rlkit.theme")).toBe("dark");
    await button("Light").click();
    expect(background()).not.toBe(dark);
    await button("Auto").click();
    expect(localStorage.getItem("rlkit.theme")).toBeNull();
  });

  it("has a page for addresses that lead nowhere", async () => {
    renderApp("#/nowhere");
    await expect.element(page.getByRole("heading", { name: "There is no such page" })).toBeVisible();
  });

  it("knows that this browser can train", () => {
    expect(hasWasmSimd()).toBe(true);
  });
});
