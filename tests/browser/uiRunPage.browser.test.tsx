import { describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { yieldToEvents } from "../../src/training/loop.ts";
import { renderApp } from "../ui/inside/support/renderApp.tsx";
import { manifest, withRun } from "../ui/support/withRun.ts";

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

const item = (name: string) => page.getByRole("menuitem", { name, exact: true });

/** Chooses an entry of the run's menu. */
async function chooseMore(name: string): Promise<void> {
  await button("More").click();
  await item(name).click();
}

describe("the run's page", () => {
  it("has the names that the contract gives it", async () => {
    const { complaints } = renderApp("#/runs/run-1", withRun(4));
    await expect.element(page.getByRole("status")).toHaveTextContent(/^Generation 4$/);
    await expect.element(page.getByRole("region", { name: "Fitness", exact: true })).toBeVisible();
    for (const name of ["Pause", "Stop and save", "Delete"]) await expect.element(button(name)).toBeVisible();
    await button("More").click();
    for (const name of [
      "Download elite",
      "Download ONNX",
      "Download CSV",
      "Download events",
      "Export manifest",
      "Edit a copy",
    ]) {
      await expect.element(item(name)).toBeVisible();
    }
    expect(complaints).toEqual([]);
  });

  it("says how far the download of its data set is, which can be cancelled", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(0));
    const run = fake.runs.get("run-1");
    if (!run) throw new Error("the run is not there");
    run.setFetch({ dataset: "cartpole/random-v0", received: 0, total: null });
    const bar = page.getByRole("progressbar", { name: "Downloading cartpole/random-v0", exact: true });
    await expect.element(bar).toBeVisible();
    await expect.element(page.getByText("connecting…", { exact: true })).toBeVisible();
    run.setFetch({ dataset: "cartpole/random-v0", received: 1_500_000, total: 6_000_000 });
    await expect.element(page.getByText("1.5 MB of 6.0 MB", { exact: true })).toBeVisible();
    await expect.element(bar).toHaveAttribute("value", "1500000");
    await button("Cancel").click();
    await expect.poll(() => run.state).toBe("stopped");
    run.setFetch(null);
    await expect.element(bar).not.toBeInTheDocument();
    await expect.element(page.getByText("stopped", { exact: true })).toBeVisible();
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
      await chooseMore("Download elite");
      await expect.poll(() => saved.length).toBe(1);
      await chooseMore("Download ONNX");
      await expect.poll(() => saved.length).toBe(2);
      await chooseMore("Download CSV");
      await expect.poll(() => saved.length).toBe(3);
      await chooseMore("Download events");
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
    await button("Stop and save").click();
    await expect.element(button("Run again")).toBeVisible();
    await button("Run again").click();
    await expect.poll(() => window.location.hash).toBe("#/runs/run-2");
  });

  it("asks before it discards a run, and leaves its page then", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(1));
    await button("Delete").click();
    await button("Cancel").click();
    expect(fake.runs.size).toBe(1);
    await button("Delete").click();
    await button("Delete permanently").click();
    await expect.poll(() => window.location.hash).toBe("#/");
    expect(fake.runs.size).toBe(0);
  });

  it("drives every view by the scrubber, and keeps the view and the generation in the address", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(4));
    const slider = page.getByRole("slider", { name: "Generation", exact: true });
    await expect.element(slider).toHaveAttribute("aria-valuetext", "after generation 4, live");
    const press = (key: string) =>
      document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    press("[");
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1?generation=3");
    fake.runs.get("run-1")?.generation();
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 3 of 5");
    await expect.element(slider).toHaveAttribute("aria-valuetext", "after generation 3");
    await page.getByRole("link", { name: "Population", exact: true }).click();
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1?tab=population&generation=3");
    await expect.element(page.getByRole("region", { name: "Population" }).getByRole("table")).toBeVisible();
    press("]");
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1?tab=population&generation=4");
    press("]");
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1?tab=population");
    await page.getByRole("slider", { name: "Generation", exact: true }).fill("1");
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1?tab=population&generation=2");
    // The keys act with the focus on the slider too.
    await slider.click({ position: { x: 1, y: 4 } });
    await expect.element(slider).toHaveFocus();
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1?tab=population&generation=1");
    await userEvent.keyboard("]");
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1?tab=population&generation=2");
    await userEvent.keyboard("[[");
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1?tab=population&generation=1");
  });

  it("starts a run again with its seed and on its device", async () => {
    const options = { seed: 7, device: "wasm" } as const;
    const { fake } = renderApp("#/runs/run-1", (coordinator) => {
      coordinator.add(manifest, { ...options, name: "My run" }).setState("finished");
    });
    await button("Run again").click();
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
    await expect
      .poll(() => page.getByRole("region", { name: "Fitness", exact: true }).elements())
      .toHaveLength(1);
    await expect
      .poll(() => document.querySelectorAll(".plot-strand--living[d^=M]").length)
      .toBeGreaterThan(0);
  });

  it("shows the spread of a large population, and lines of the members that are looked at", async () => {
    const { fake } = renderApp("#/runs/run-1", (coordinator) => {
      const run = coordinator.add({ ...manifest, training: { pop_size: 64 } });
      for (let generation = 0; generation < 3; generation += 1) run.generation();
    });
    const chart = page.getByRole("region", { name: "Fitness", exact: true });
    const lines = (kind: string) => chart.element().querySelectorAll(`.plot-line--${kind} path`).length;
    await expect.poll(() => chart.element().querySelectorAll(".plot-band").length).toBe(2);
    expect([lines("median"), lines("elite"), lines("selected")]).toEqual([1, 1, 0]);
    expect(chart.element().querySelectorAll(".plot-strand--living")).toHaveLength(0);
    await expect.element(chart.getByText("fitness distribution of 64 members")).toBeInTheDocument();
    window.location.hash = `#/runs/run-1?member=${fake.runs.get("run-1")?.generations.at(-1)?.members[5]?.index}`;
    await expect.poll(() => lines("selected")).toBe(1);
    await expect.element(chart.getByRole("list", { name: "Legend" })).toHaveTextContent("selected");
  });

  it("leaves the chart as it is while it is scrolled out of view, and catches up once", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(2));
    const best = () => document.querySelector(".plot-line--best-so-far path")?.getAttribute("d");
    await expect.poll(best).toBeTruthy();
    const before = best();
    document.body.style.paddingBottom = "4000px";
    onTestFinished(() => document.body.removeAttribute("style"));
    window.scrollTo(0, 3000);
    await untilOutOfView(page.getByRole("region", { name: "Fitness", exact: true }).element());
    fake.runs.get("run-1")?.generation();
    fake.runs.get("run-1")?.generation();
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 4");
    expect(best()).toBe(before);
    window.scrollTo(0, 0);
    await expect.poll(best).not.toBe(before);
  });

  it("lets an ended run go on beyond its last step", async () => {
    const { fake } = renderApp("#/runs/run-1", (coordinator) => {
      withRun(1)(coordinator);
      coordinator.runs.get("run-1")?.setState("finished");
    });
    await chooseMore("Train longer…");
    const dialog = page.getByRole("dialog", { name: "Train longer" });
    await dialog.getByRole("textbox").fill("1");
    await expect.element(dialog.getByRole("textbox")).toHaveAttribute("aria-invalid", "true");
    await dialog.getByRole("textbox").fill("900000");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => fake.runs.get("run-1")?.state).toBe("running");
  });

  it("renames a run in its place", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(1));
    await button("Rename").click();
    const field = page.getByRole("textbox", { name: "Name of the run" });
    await field.fill("Another name");
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByRole("heading", { level: 1, name: "Another name" })).toBeVisible();
    await expect.element(button("Rename")).toHaveFocus();
    expect(fake.runs.get("run-1")?.summary().name).toBe("Another name");
  });

  it("lists checkpoints, pins, plays and deletes them", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=checkpoints", (coordinator) => {
      withRun(3)(coordinator);
      const known = coordinator.runs.get("run-1");
      if (known === undefined) throw new Error("There is no run.");
      known.checkpoints = [3, 2].map((generation) => ({
        generation,
        global_step: 1000 * generation,
        fitness: 10 * generation,
        bytes: 5000,
        at: Number.NaN,
        pinned: false,
      }));
    });
    const run = fake.runs.get("run-1");
    const table = page.getByRole("region", { name: "Checkpoints", exact: true }).getByRole("table");
    await expect
      .poll(() => table.getByRole("row").elements().length)
      .toBe(1 + (run?.checkpoints.length ?? 0));
    await table.getByRole("checkbox", { name: "Pin" }).first().click();
    await expect.poll(() => run?.checkpoints.some(({ pinned }) => pinned)).toBe(true);
    await table.getByRole("button", { name: "Play" }).first().click();
    await expect.element(page.getByRole("region", { name: "Checkpoint playing" })).toBeVisible();
    const fork = vi.spyOn(fake.coordinator, "fork");
    const older = table.getByRole("row", { name: /^2 / });
    await older.getByRole("button", { name: "Fork weights" }).click();
    await expect
      .poll(() => fork.mock.calls)
      .toEqual([["run-1", { kind: "checkpoint", generation: 2, index: null }, "weights"]]);
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1");
    window.location.hash = "#/runs/run-1?tab=checkpoints";
    await older.getByRole("button", { name: "Delete" }).click();
    await older.getByRole("button", { name: "Delete permanently" }).click();
    await expect.poll(() => run?.checkpoints.map(({ generation }) => generation)).toEqual([3]);
    await expect.element(older).not.toBeInTheDocument();
  });

  it("shows the resolved configuration, and keeps a note with the log", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=config", withRun(1));
    const config = page.getByRole("region", { name: "Configuration" });
    await config.getByRole("searchbox").fill("algorithm.gamma");
    await expect
      .element(config.getByRole("row", { name: /^algorithm\.gamma 0\.\d+ (default|manifest)/ }))
      .toBeVisible();
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await page.getByRole("textbox", { name: "Note on this run" }).fill("Faster than the last.");
    await button("Save").click();
    await expect.poll(() => fake.runs.get("run-1")?.summary().note).toBe("Faster than the last.");
    await expect.element(button("Saved")).toBeVisible();
  });

  it("has its view state in the address", async () => {
    renderApp("#/runs/run-1?axis=time&view=table&generation=2", withRun(5));
    const fitness = page.getByRole("region", { name: "Fitness", exact: true });
    await expect
      .element(fitness.getByRole("button", { name: "Time" }))
      .toHaveAttribute("aria-pressed", "true");
    await expect.element(fitness.getByRole("table")).toBeVisible();
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 2 of 5");
    await button("Next generation").click();
    await expect.poll(() => window.location.hash).toContain("generation=3");
    await fitness.getByRole("button", { name: "Steps" }).click();
    await expect.poll(() => window.location.hash).not.toContain("axis");
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
});

describe("a run that cannot be saved", () => {
  it("says so as long as that lasts, with what would be lost and what to do", async () => {
    const { fake, complaints } = renderApp("#/runs/run-1", withRun(5));
    const run = fake.runs.get("run-1");
    if (!run) throw new Error("the run is not there");
    await expect.element(button("Pause")).toBeVisible();
    run.setUnsaved({ since: 5, full: true, reason: "no room" });
    const alert = page.getByRole("alert");
    await expect
      .element(alert)
      .toHaveTextContent("Nothing is saved since generation 5: the browser's storage is full.");
    await expect.element(alert).toHaveTextContent("Training continues.");
    await expect.element(alert).toHaveTextContent("the run resumes from generation 4");
    await expect.element(alert.getByRole("link", { name: "Make room" })).toHaveAttribute("href", "#/storage");
    await expect.element(alert.getByRole("button", { name: "Download elite" })).toBeVisible();
    const closing = new Event("beforeunload", { cancelable: true });
    run.setState("finished");
    await expect.element(alert).not.toHaveTextContent("Training continues.");
    await userEvent.click(document.body);
    window.dispatchEvent(closing);
    expect(closing.defaultPrevented).toBe(true);
    run.setUnsaved(null);
    await expect.element(alert).not.toBeInTheDocument();
    expect(complaints).toEqual([]);
  });

  it("says that nothing of it is left, if no checkpoint was saved", async () => {
    renderApp("#/runs/run-1", (fake) => {
      withRun(2)(fake);
      const run = fake.runs.get("run-1");
      if (run) run.unsaved = { since: 1, full: false, reason: "The disk is gone." };
    });
    const alert = page.getByRole("alert");
    await expect.element(alert).toHaveTextContent("the run starts from the beginning");
    await expect.element(alert).toHaveTextContent("The disk is gone.");
  });
});

describe("a run that has ended", () => {
  it("says why, when and what the best is, and nothing of it is live", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(4));
    await expect.element(button("Live")).toBeVisible();
    await expect.element(page.getByRole("progressbar")).toBeVisible();
    fake.runs.get("run-1")?.setState("finished", null, "target");
    await expect
      .element(
        page.getByText(/^Finished on .+ after 4 generations .+: every member's fitness is above the target/),
      )
      .toBeVisible();
    const strip = page.getByRole("region", { name: "Progress" });
    await expect.element(strip).toHaveTextContent(/Best evaluation, generation \d/);
    await expect.element(strip).toHaveTextContent("Trained for");
    await expect.element(strip).not.toHaveTextContent("Time left");
    await expect.element(page.getByRole("progressbar")).not.toBeInTheDocument();
    await expect.element(button("Live")).not.toBeInTheDocument();
    await expect.element(button("Latest")).toBeVisible();
  });

  it("says that it was paused when its tab was closed", async () => {
    renderApp("#/runs/run-1", (fake) => {
      withRun(4)(fake);
      fake.runs.get("run-1")?.setState("interrupted", null, "closed_paused");
    });
    await expect
      .element(page.getByText("closed or reloaded while this run was paused", { exact: false }))
      .toBeVisible();
  });

  it("is not stopped in its first generation before it has said that nothing can be saved", async () => {
    const { fake } = renderApp("#/runs/run-1", withRun(0));
    const state = () => fake.runs.get("run-1")?.state;
    await button("Stop and save").click();
    await expect.element(page.getByText("so nothing can be saved yet", { exact: false })).toBeVisible();
    expect(state()).toBe("running");
    await button("Cancel").click();
    await expect.element(button("Stop without saving")).not.toBeInTheDocument();
    await button("Stop and save").click();
    await button("Stop without saving").click();
    await expect.poll(state).toBe("stopped");
    await expect.element(page.getByText("nothing of its training was saved", { exact: false })).toBeVisible();
    for (const name of ["Fitness", "Events"])
      await expect
        .element(page.getByRole("region", { name, exact: true }))
        .toHaveTextContent("The run was stopped before its first generation ended");
  });
});

describe("a past generation", () => {
  it("is named by every view that shows it", async () => {
    renderApp("#/runs/run-1?generation=3", withRun(6));
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 3 of 6");
    await expect
      .element(page.getByRole("region", { name: "Fitness", exact: true }))
      .toHaveTextContent("generation 3");
    await expect
      .element(page.getByRole("region", { name: "Events" }))
      .toHaveTextContent("up to generation 3");
    for (const name of ["Population", "Lineage", "Hyperparameters", "Metrics", "Network"]) {
      window.location.hash = `#/runs/run-1?tab=${name.toLowerCase()}&generation=3`;
      const note = page.getByRole("region", { name, exact: true }).getByText("generation 3", { exact: true });
      await expect.element(note.first()).toBeVisible();
    }
  });
});
