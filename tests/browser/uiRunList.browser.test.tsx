import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { templates } from "../../src/manifests/templates.ts";
import type { FakeCoordinator } from "../ui/inside/support/fakeCoordinator.ts";
import { renderApp } from "../ui/inside/support/renderApp.tsx";
import { withRun } from "../ui/support/withRun.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const list = page.getByRole("region", { name: "Runs" });
const names = () =>
  [...document.querySelectorAll(".runs__table tbody th[scope=row] a")].map((link) => link.textContent);

/** What scrolls inside the page. */
const scrolling = (): readonly string[] =>
  [...document.querySelectorAll("main *")]
    .filter(
      (element) =>
        (element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth) &&
        /auto|scroll/.test(getComputedStyle(element).overflow),
    )
    .map(({ className }) => className);

/** Runs of three algorithms; the first is the oldest. */
function withThree(fake: FakeCoordinator): void {
  for (const [position, id] of ["dqn-cartpole", "ppo-pendulum", "ppo-acrobot"].entries()) {
    const run = fake.add(
      { ...templates.find((one) => one.id === id)?.manifest },
      { name: `Run ${position + 1}` },
    );
    for (let generation = 0; generation <= position; generation += 1) run.generation();
    run.setState("stopped");
  }
}

beforeEach(async () => {
  localStorage.clear();
  await page.viewport(1440, 900);
});
afterEach(() => page.viewport(414, 896));

describe("the first visit", () => {
  it("has one thing to do: teach a cheetah to run", async () => {
    const { fake, complaints } = renderApp("#/");
    await expect.element(button("Teach a cheetah to run")).toBeVisible();
    expect(document.querySelectorAll(".button--primary")).toHaveLength(1);
    await button("Teach a cheetah to run").click();
    await expect
      .element(page.getByRole("heading", { level: 1, name: "Teach a cheetah to run" }))
      .toHaveFocus();
    expect(fake.started).toMatchObject([
      {
        algorithm: { name: "PPO", learn_step: 1024 },
        environment: { name: "rlkit/HalfCheetah-v0", normalize: { observations: true, rewards: true } },
        // A quarter of the template's generation.
        training: { pop_size: 10, hpo: true, evo_steps: 8192 },
      },
    ]);
    expect(complaints).toEqual([]);
  });

  it("has a quicker start: eight agents that learn in seconds", async () => {
    const { fake, complaints } = renderApp("#/");
    await expect.element(button("Watch 8 agents learn")).toBeVisible();
    expect(page.getByRole("article").elements()).toHaveLength(6);
    await button("Watch 8 agents learn").click();
    await expect.element(page.getByRole("heading", { level: 1, name: "PPO CartPole" })).toHaveFocus();
    expect(fake.started).toMatchObject([
      { algorithm: { name: "PPO" }, environment: { name: "CartPole-v1" }, training: { pop_size: 8 } },
    ]);
    expect(complaints).toEqual([]);
  });

  it("starts another template with one click", async () => {
    const { fake } = renderApp("#/");
    const card = page.getByRole("article", { name: "DQN CartPole", exact: true });
    await card.getByRole("button", { name: "Start", exact: true }).click();
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1");
    expect(fake.started).toEqual([templates.find(({ id }) => id === "dqn-cartpole")?.manifest]);
  });

  it("warns when runs cannot be kept", async () => {
    renderApp("#/", (fake) => {
      fake.storageKind = "memory";
    });
    await expect.element(page.getByText("runs are lost when the tab closes", { exact: false })).toBeVisible();
  });
});

describe("the list of runs", () => {
  it("shows curves of chosen runs, means over seeds, and groups by configuration", async () => {
    const cartPole = templates.find(({ id }) => id === "dqn-cartpole")?.manifest;
    const { complaints } = renderApp("#/", (fake) => {
      for (const [seed, lr] of [0.001, 0.001, 0.002].entries()) {
        const run = fake.add({ ...cartPole, algorithm: { name: "DQN", lr } }, { name: `lr ${lr}`, seed });
        for (let generation = 0; generation < 3; generation += 1) run.generation();
        run.setState("stopped");
      }
    });
    await list.getByRole("button", { name: "Curve of lr 0.002", exact: true }).click();
    const curves = page.getByRole("region", { name: "Curves" });
    await expect.element(curves.getByRole("button", { name: "lr 0.002" })).toBeVisible();
    await list.getByLabelText("Group by").selectOptions("configuration");
    const group = () => list.getByRole("row", { name: /lr 0.001 2 runs/ });
    await group().getByRole("button", { name: "Show curves" }).click();
    await expect.poll(() => window.location.hash).toMatch(/curves=[^&]*(%2C|,)[^&]*(%2C|,)/);
    await curves.getByText("Means over seeds").click();
    await expect.element(curves.getByText(/lr 0.001 \(n = 2\)/)).toBeVisible();
    await group().getByRole("button", { name: "Hide curves" }).click();
    await expect.element(curves.getByText(/n = 2/)).not.toBeInTheDocument();
    await page.getByRole("button", { name: "Hide all" }).click();
    await expect.element(curves).not.toBeInTheDocument();
    expect(complaints).toEqual([]);
  });

  it("repeats a run over seeds, and shows their mean and interval as a group", async () => {
    const { fake, complaints } = renderApp("#/runs/run-1", (coordinator) => {
      withRun(3)(coordinator);
      coordinator.runs.get("run-1")?.setState("finished");
    });
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Repeat over seeds…" }).click();
    await page.getByLabelText(/Seeds in all/).fill("3");
    await page.getByRole("button", { name: "Queue", exact: true }).click();
    await page.getByRole("button", { name: "Show the group" }).click();
    const group = () => list.getByRole("row", { name: /^My run n = / });
    await expect.element(group()).toHaveTextContent(/n = 1, mean [\d.]+, 2 queued/);
    const [first, second, third] = [...fake.runs.values()];
    for (const [run, fitness] of [
      [first, 10],
      [second, 20],
      [third, 60],
    ] as const) {
      if (!run) throw new Error("a run is missing");
      run.champion = { index: 0, fitness, episodes: 30, candidates: 2 };
      run.waiting = false;
      run.setState("finished");
      run.edit({});
    }
    // The t of two degrees of freedom is 4.302653, the standard error sqrt(700 / 3).
    await expect.element(group()).toHaveTextContent("n = 3, mean 30.0, 95 % interval -35.7 to 95.7");
    await group().getByRole("button", { name: "Compare" }).click();
    await expect.poll(() => window.location.hash).toMatch(/compare.*run-1(%2C|,)run-2(%2C|,)run-3/);
    expect(complaints).toEqual([]);
  });

  it("resumes several runs without leaving the list, and says why they cannot be compared", async () => {
    const { fake } = renderApp("#/", (coordinator) => {
      for (let i = 0; i < 3; i++) coordinator.add({}, { name: `Run ${i}` }).setState("interrupted");
      coordinator.runs.get("run-2")?.setState("finished");
    });
    await list.getByLabelText("Select Run 0").click();
    const compare = page.getByRole("button", { name: "Compare", exact: true });
    await expect.element(compare).toHaveAttribute("aria-disabled", "true");
    await expect.element(compare).toHaveAccessibleDescription("Select 2 to 40 runs to compare");
    await list.getByLabelText("Select all runs").click();
    await expect.element(compare).toHaveAttribute("aria-disabled", "false");
    await page.getByRole("button", { name: "Resume 2", exact: true }).click();
    await expect
      .poll(() => [...fake.runs.values()].map(({ state }) => state))
      .toEqual(["running", "finished", "running"]);
    expect(window.location.hash).toBe("#/");
    await expect.element(page.getByRole("toolbar", { name: "Selected runs" })).not.toBeInTheDocument();
  });

  it.each([390, 800, 1100, 1440, 1920])("fits at %d pixels without scrolling sideways", async (width) => {
    await page.viewport(width, 900);
    renderApp("#/?curves=run-1", withThree);
    await expect.element(page.getByRole("region", { name: "Curves" })).toBeVisible();
    await expect.poll(scrolling).toEqual([]);
    await expect.poll(() => document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    const top = (name: string): number =>
      page.getByRole("region", { name }).element().getBoundingClientRect().top;
    await expect.poll(() => Math.abs(top("Curves") - top("Runs")) < 100).toBe(width >= 1200);
    for (const name of ["Run 3", "Run 2", "Run 1"]) {
      const link = list.getByRole("link", { name, exact: true });
      await expect.poll(() => link.element().getBoundingClientRect().width).toBeGreaterThan(20);
      await expect.element(list.getByRole("row", { name: new RegExp(name) })).toHaveTextContent("stopped");
    }
  });

  it("tells a run in one row, and resumes an interrupted one", async () => {
    const { fake } = renderApp("#/", (coordinator) => {
      withRun(3)(coordinator);
      coordinator.runs.get("run-1")?.setState("interrupted");
    });
    const row = list.getByRole("row", { name: /My run/ });
    await expect.element(row).toHaveTextContent("interrupted");
    await row.getByRole("button", { name: "Resume My run", exact: true }).click();
    await expect.element(row).toHaveTextContent("running");
    expect(fake.runs.get("run-1")?.state).toBe("running");
    expect(window.location.hash).toBe("#/");
  });

  it("scrolls through 500 runs with only those in sight in the page", async () => {
    renderApp("#/", (fake) => {
      for (let i = 0; i < 500; i++) fake.add({}, { name: `Run number ${i}` }).setState("stopped");
    });
    await expect.element(list.getByRole("table")).toHaveAttribute("aria-rowcount", "501");
    await expect.poll(() => names().length).toBeGreaterThan(5);
    expect(names().length).toBeLessThan(100);
    // The page scrolls, and nothing in it.
    expect(scrolling()).toEqual([]);
    window.scrollTo(0, document.documentElement.scrollHeight);
    await expect.poll(() => names().at(-1)).toBe("Run number 0");
    await expect
      .poll(() => document.querySelector(".runs__table thead th")?.getBoundingClientRect().top)
      .toBe(0);
  });

  it("shows names, tags and notes as they were written, also on the run's page and in comparisons", async () => {
    const html = (what: string): string => `<img alt="${what}" src="x">&amp;`;
    renderApp("#/?columns=note", (fake) => {
      withRun(1)(fake);
      fake.runs.get("run-1")?.edit({ name: html("name"), tags: [html("tag")], note: html("note") });
    });
    for (const what of ["name", "note"])
      await expect.element(page.getByText(html(what), { exact: true }).first()).toBeVisible();
    await expect.element(page.getByText(html("tag")).first()).toBeVisible();
    for (const place of ["#/runs/run-1", "#/compare?runs=run-1"]) {
      window.location.hash = place;
      await expect.element(page.getByText(html("name")).first()).toBeVisible();
    }
    expect(document.querySelector('img[src="x"]')).toBeNull();
  });

  it("filters by words and properties, sorts and groups, all of it in the address", async () => {
    renderApp("#/", withThree);
    await expect.poll(names).toEqual(["Run 3", "Run 2", "Run 1"]);
    await page.getByLabelText("Filter runs").fill("algorithm:ppo");
    await expect.poll(names).toEqual(["Run 3", "Run 2"]);
    await list.getByRole("button", { name: "Generation" }).click();
    await list.getByRole("button", { name: "Generation" }).click();
    await expect.poll(names).toEqual(["Run 2", "Run 3"]);
    await expect
      .element(list.getByRole("columnheader", { name: "Generation" }))
      .toHaveAttribute("aria-sort", "ascending");
    await page.getByLabelText("Filter runs").fill("");
    await page.getByLabelText("Group by").selectOptions("algorithm");
    await expect.poll(names).toEqual(["Run 1", "Run 2", "Run 3"]);
    await list.getByRole("button", { name: /^PPO/ }).click();
    await expect.poll(names).toEqual(["Run 1"]);
    expect(window.location.hash).toBe("#/?sort=generation&group=algorithm");
  });

  it("comes back from its address, and says when nothing is found", async () => {
    renderApp("#/?q=pendulum&columns=environment,algorithm.batch_size", withThree);
    await expect.poll(names).toEqual(["Run 2"]);
    await expect.element(list.getByRole("columnheader", { name: "algorithm.batch_size" })).toBeVisible();
    const { batch_size } = {
      batch_size: 0,
      ...templates.find(({ id }) => id === "ppo-pendulum")?.manifest.algorithm,
    };
    await expect.element(list.getByRole("row", { name: /Run 2/ })).toHaveTextContent(String(batch_size));
    await page.getByLabelText("Filter runs").fill("nothing of the kind");
    await button("Show all runs").click();
    await expect.poll(names).toHaveLength(3);
    expect(window.location.hash).toBe("#/");
  });

  it("adds columns of the manifests that are found by name", async () => {
    renderApp("#/", withThree);
    await button("Columns").click();
    await page.getByLabelText("Find a column").fill("pop_size");
    await page.getByRole("checkbox", { name: "training.pop_size" }).click();
    await expect.element(list.getByRole("columnheader", { name: "training.pop_size" })).toBeInTheDocument();
    expect(window.location.hash).toBe("#/?columns=training.pop_size");
  });

  it("keeps views under names", async () => {
    renderApp("#/?q=ppo", withThree);
    await button("Views").click();
    await page.getByLabelText("Name of the view").fill("Policies");
    await button("Save").click();
    await expect.poll(() => window.location.hash).toBe("#/?q=ppo&view=Policies");
    await page.getByRole("link", { name: "All runs, newest first" }).click();
    await expect.poll(names).toHaveLength(3);
    await page.getByRole("link", { name: "Policies", exact: true }).click();
    await expect.poll(names).toHaveLength(2);
    await button("Delete the view Policies").click();
    await expect.element(page.getByRole("link", { name: "Policies", exact: true })).not.toBeInTheDocument();
  });

  it("deletes what is selected, and brings it back on request", async () => {
    const { fake } = renderApp("#/", withThree);
    await page.getByRole("checkbox", { name: "Select Run 1", exact: true }).click();
    await page.getByRole("checkbox", { name: "Select Run 3", exact: true }).click();
    await button("Delete").click();
    await expect.poll(names).toEqual(["Run 2"]);
    await expect.element(page.getByLabelText("Filter runs")).toHaveFocus();
    expect(fake.runs.size).toBe(3);
    await button("Undo").click();
    await expect.poll(names).toHaveLength(3);
    expect(fake.runs.size).toBe(3);
  });

  it("tags what is selected, and finds and groups it by its tags", async () => {
    const { fake } = renderApp("#/?group=tag", withThree);
    await page.getByRole("checkbox", { name: "Select Run 1", exact: true }).click();
    await page.getByRole("checkbox", { name: "Select Run 2", exact: true }).click();
    await button("Tag").click();
    await page.getByLabelText("New tag").fill("baseline");
    await button("Add").click();
    await expect.element(page.getByRole("list", { name: "Tags" })).toHaveTextContent("baseline");
    expect((await fake.coordinator.listRuns()).map(({ tags }) => tags)).toEqual([
      ["baseline"],
      ["baseline"],
      [],
    ]);
    await userEvent.keyboard("{Escape}");
    await expect.element(list.getByRole("button", { name: /^baseline/ })).toBeVisible();
    await page.getByLabelText("Filter runs").fill("tag:base");
    await expect.poll(names).toEqual(["Run 2", "Run 1"]);
  });

  it("exports what is selected, one archive each, and compares it", async () => {
    renderApp("#/", withThree);
    const saved: string[] = [];
    const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });
    onTestFinished(() => click.mockRestore());
    await page.getByRole("checkbox", { name: "Select Run 1", exact: true }).click();
    await expect.element(button("Compare")).toHaveAttribute("aria-disabled", "true");
    await page.getByRole("checkbox", { name: "Select Run 3", exact: true }).click();
    await button("Export").click();
    await expect.poll(() => saved).toEqual(["Run 3.rlkit.zip", "Run 1.rlkit.zip"]);
    await userEvent.keyboard("c");
    await expect.poll(() => window.location.hash).toBe("#/compare?runs=run-3%2Crun-1");
  });

  it("is walked with the keyboard", async () => {
    renderApp("#/", withThree);
    await expect.poll(names).toHaveLength(3);
    await userEvent.keyboard("jj");
    await expect.element(list.getByRole("link", { name: "Run 2", exact: true })).toHaveFocus();
    await userEvent.keyboard("xkx");
    await expect.element(page.getByText("2 selected")).toBeVisible();
    await userEvent.keyboard("/");
    await expect.element(page.getByLabelText("Filter runs")).toHaveFocus();
    await userEvent.keyboard("j");
    await expect.element(page.getByLabelText("Filter runs")).toHaveValue("j");
  });
});

it("shows how far the data set is that a run waits for, and not that it were stopped", async () => {
  const { fake, complaints } = renderApp("#/", withThree);
  const run = fake.runs.get("run-1");
  if (!run) throw new Error("the run is not there");
  const row = list.getByRole("row", { name: /Run 1/ });
  await expect.element(row).toHaveTextContent("stopped");
  run.setFetch({ dataset: "cartpole/random-v0", received: 0, total: null });
  await expect.element(row).toHaveTextContent("fetching");
  run.setFetch({ dataset: "cartpole/random-v0", received: 1_500_000, total: 6_000_000 });
  await expect.element(row).toHaveTextContent("fetching 25 %");
  await expect.element(row).not.toHaveTextContent("stopped");
  await expect.element(row.getByTitle("cartpole/random-v0: 1.5 MB of 6.0 MB")).toBeVisible();
  run.setFetch(null);
  await expect.element(row).toHaveTextContent("stopped");
  expect(complaints).toEqual([]);
});

it("follows a run that ends, and the space that it takes, without a reload", async () => {
  const { fake, complaints } = renderApp("#/", withRun(3));
  const run = fake.runs.get("run-1");
  if (!run) throw new Error("the run is not there");
  const row = list.getByRole("row", { name: /My run/ });
  const trend = () => document.querySelector(".runs__table .sparkline path")?.getAttribute("d");
  await expect.element(row).toHaveTextContent("243 kB");
  const before = trend();
  run.generation();
  await expect.element(row).toHaveTextContent("62K");
  await expect.poll(trend).not.toBe(before);
  fake.used = 123_000_000;
  run.edit({ name: "My run" });
  await expect.element(row).toHaveTextContent("264 kB");
  const meter = () => document.querySelector(".storage-meter")?.getAttribute("aria-label");
  await expect.poll(meter).toBe("Storage: 123 MB of 12.0 GB");
  expect(complaints).toEqual([]);
});

it("grows older while it is open", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { complaints } = renderApp("#/", withRun(1));
  const row = list.getByRole("row", { name: /My run/ });
  await expect.element(row).toHaveTextContent("just now");
  vi.advanceTimersByTime(11 * 60_000);
  await expect.element(row).toHaveTextContent("11 min ago");
  expect(complaints).toEqual([]);
});

it("marks a run that cannot be saved, as long as that lasts, and finds it by that", async () => {
  const { fake } = renderApp("#/", withThree);
  const run = fake.runs.get("run-1");
  if (!run) throw new Error("the run is not there");
  const mark = list.getByRole("row", { name: /Run 1/ }).getByText("not saved", { exact: true });
  await expect.poll(names).toHaveLength(3);
  run.setUnsaved({ since: 2, full: true, reason: "no room" });
  await expect.element(mark).toHaveAttribute("title", "Nothing is saved since generation 2: storage is full");
  await page.getByLabelText("Filter runs").fill('state:"not saved"');
  await expect.poll(names).toEqual(["Run 1"]);
  run.setUnsaved(null);
  await expect.poll(names).toEqual([]);
});

it("shows a run that waits for others as queued", async () => {
  renderApp("#/", (fake) => {
    withThree(fake);
    const run = fake.runs.get("run-2");
    if (run) run.waiting = true;
  });
  await expect.element(list.getByRole("row", { name: /Run 2/ })).toHaveTextContent("queued");
});
