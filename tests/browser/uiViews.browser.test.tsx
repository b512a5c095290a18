import { flushSync } from "react-dom";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { FakeCoordinator } from "../ui/inside/support/fakeCoordinator.ts";
import { renderApp } from "../ui/inside/support/renderApp.tsx";
import { axeFaults } from "../ui/support/axeFaults.ts";
import { savedFiles } from "../ui/support/savedFiles.ts";
import { manifest, withRun } from "../ui/support/withRun.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const view = (name: string) => page.getByRole("region", { name, exact: true });

/** Two runs, the second with another learning rate. */
function twoRuns(fake: FakeCoordinator): void {
  withRun(4)(fake);
  const run = fake.add({ ...manifest, algorithm: { ...manifest.algorithm, lr: 0.5 } }, { name: "Faster" });
  for (let generation = 0; generation < 3; generation += 1) run.generation();
}

/** Of each elite that is compared: what it is called, and whether it has taken steps. */
function elitesAtPlay(): (readonly [string | null, boolean])[] {
  const panel = view("Elites").element();
  // Nothing plays that nobody can see.
  panel.querySelector(".player")?.scrollIntoView();
  return [...panel.querySelectorAll(".player__readout")].map((one) => [
    one.getAttribute("aria-label"),
    /Step[1-9]/.test(one.textContent),
  ]);
}

beforeEach(() => localStorage.clear());

describe("the lineage", () => {
  it("leads from the elite to its parent, and has an address for both", async () => {
    const { fake, complaints } = renderApp("#/runs/run-1?tab=lineage", withRun(2));
    const run = fake.runs.get("run-1");
    const elite = () => {
      const last = run?.generations.at(-1);
      return last?.members[last.elite];
    };
    // One of the first members has no parent.
    while ((elite()?.index ?? 0) < 4) run?.generation();
    const best = elite();
    await expect.element(view("Lineage")).toHaveTextContent(`is agent ${best?.index}`);
    await button("Elite").click();
    await expect.element(view(`Agent ${best?.index}`)).toHaveTextContent("Best of its generation");
    expect(window.location.hash).toContain(`member=${best?.index}`);
    const card = view(`Agent ${best?.index}`);
    const parent = card.getByRole("link", { name: /^Agent #/ });
    const name = parent.element().textContent;
    await parent.click();
    await expect.element(view(name?.replace("#", "") ?? "")).toHaveTextContent("Ancestor of the elite");
    const copy = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
    await button("Copy link").click();
    await expect.element(button("Link copied")).toBeVisible();
    expect(copy.mock.calls).toEqual([[window.location.href]]);
    await button("Close").click();
    await expect.poll(() => window.location.hash).not.toContain("member=");
    expect(complaints).toEqual([]);
  });

  it("is walked through with the keyboard", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=lineage", withRun(5));
    const tree = page.getByRole("application", { name: "Family tree of the population" });
    await expect.element(tree).toBeVisible();
    (tree.element() as HTMLElement).focus();
    const elite = fake.runs.get("run-1")?.generations.at(-1);
    const best = elite?.members[elite.elite];
    await userEvent.keyboard("{ArrowLeft}");
    await expect.element(view("Lineage")).toHaveTextContent(`#${best?.index} in generation 5`);
    await userEvent.keyboard("{ArrowLeft}");
    await expect.element(view("Lineage")).toHaveTextContent(/#\d+ in generation 4/);
    await userEvent.keyboard("{ArrowRight}{Enter}");
    await expect.element(view(`Agent ${best?.index}`)).toBeVisible();
    await userEvent.keyboard("{Escape}");
    await expect.element(view(`Agent ${best?.index}`)).not.toBeInTheDocument();
  });

  it("opens the agent that is clicked", async () => {
    renderApp("#/runs/run-1?tab=lineage&tree=lanes", withRun(3));
    const canvas = () => view("Lineage").element().querySelector("canvas");
    await expect.poll(() => canvas()?.width).toBeGreaterThan(0);
    // The first agent of the first generation, at the margins of the tree.
    await page.elementLocator(canvas() as HTMLCanvasElement).click({ position: { x: 20, y: 34 } });
    await expect.element(view("Agent 0")).toBeVisible();
  });

  it("forks an agent that is kept", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=lineage", withRun(2));
    const fork = vi.spyOn(fake.coordinator, "fork");
    await button("Elite").click();
    await button("Fork weights").click();
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1");
    const { elite = 0, members = [] } = fake.runs.get("run-1")?.generations.at(-1) ?? {};
    expect(fork.mock.calls).toEqual([["run-1", { kind: "member", index: members[elite]?.index }, "weights"]]);
  });

  it("follows the run, in the tree and in numbers", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=lineage&view=table", withRun(2));
    const rows = () => view("Agents").element().querySelectorAll("tbody tr").length;
    await expect.element(view("Agents")).toBeVisible();
    const before = rows();
    fake.runs.get("run-1")?.generation();
    await expect.poll(rows).toBeGreaterThan(before);
    await expect.element(view("Lineage")).toHaveTextContent("Family tree of 3 generations of 4 agents");
  });

  it("shows what was known at the generation that is looked at", async () => {
    renderApp("#/runs/run-1?tab=lineage&generation=1&view=table", withRun(4));
    await expect.element(view("Agents")).toBeVisible();
    expect(view("Agents").element().querySelectorAll("tbody tr")).toHaveLength(4);
  });
});

describe("hyperparameters", () => {
  it("have a chart each, and numbers", async () => {
    const { complaints } = renderApp("#/runs/run-1?tab=hyperparameters", withRun(5));
    const charts = () => view("Hyperparameters").element().querySelectorAll(".plot .plot__surface").length;
    await expect.element(view("Hyperparameters")).toBeVisible();
    await expect.poll(charts).toBe(3);
    await view("Hyperparameters").getByRole("button", { name: "Table" }).click();
    await expect.element(page.getByRole("columnheader", { name: "learn_step", exact: true })).toBeVisible();
    expect(complaints).toEqual([]);
  });

  it("say where a person set one", async () => {
    renderApp("#/runs/run-1?tab=hyperparameters", (fake) => {
      withRun(3)(fake);
      fake.runs.get("run-1")?.steer({ kind: "set", index: null, hyperparameter: "lr", value: 0.01 });
    });
    await expect
      .element(view("Hyperparameters").getByRole("list", { name: "Legend" }))
      .toHaveTextContent("set manually");
  });

  it("let through only agents within the chosen values, with the keyboard too", async () => {
    renderApp("#/runs/run-1?tab=hyperparameters", withRun(5));
    const panel = view("Parallel coordinates");
    await expect.element(panel).toHaveTextContent("4 agents. Coloured by fitness");
    await panel.getByRole("button", { name: "All generations" }).click();
    await expect.element(panel).toHaveTextContent("20 agents. Coloured");
    await page.getByText("Axes", { exact: true }).click();
    await page.getByLabelText("Filter minimum of fitness").fill("99999");
    await expect.element(panel).toHaveTextContent("20 agents, 0 matching the filters");
    await button("Clear the filter on fitness").click();
    await expect.element(panel).toHaveTextContent("20 agents. Coloured");
    await panel.getByRole("button", { name: "Hide all" }).click();
    await expect.element(panel).toHaveTextContent("No axes shown");
  });

  it("are brushed by dragging along an axis", async () => {
    renderApp("#/runs/run-1?tab=hyperparameters", withRun(3));
    const panel = view("Parallel coordinates");
    await expect.element(panel).toBeVisible();
    const canvas = panel.element().querySelector("canvas");
    await expect.poll(() => canvas?.width).toBeGreaterThan(300);
    const { left, top, height } = canvas?.getBoundingClientRect() ?? new DOMRect();
    const at = (kind: string, y: number): void => {
      const event = { clientX: left + 64, clientY: top + y, pointerId: 1, bubbles: true, buttons: 1 };
      canvas?.dispatchEvent(new PointerEvent(kind, event));
    };
    vi.spyOn(HTMLElement.prototype, "setPointerCapture").mockImplementation(() => undefined);
    at("pointerdown", height - 30);
    at("pointermove", height - 32);
    at("pointermove", height - 40);
    at("pointerup", height - 40);
    await expect.element(panel).toHaveTextContent(/4 agents, \d matching the filters/);
  });
});

describe("metrics", () => {
  it("have a chart each, are found by name, and follow the run", async () => {
    const { fake, complaints } = renderApp("#/runs/run-1?tab=metrics", withRun(3));
    const panel = view("Metrics");
    await expect.element(panel).toBeVisible();
    const titles = () => [...panel.element().querySelectorAll(".plot strong")].map((one) => one.textContent);
    await expect.poll(() => titles().length).toBeGreaterThan(0);
    await page.getByRole("searchbox", { name: "Find a metric" }).fill("loss");
    await expect.poll(titles).toEqual(["loss"]);
    await page.getByRole("searchbox", { name: "Find a metric" }).fill("no such");
    await page.getByRole("button", { name: /^Show all/ }).click();
    await panel.getByRole("button", { name: "Table" }).click();
    const rows = () => panel.element().querySelectorAll("tbody tr").length;
    await expect.poll(rows).toBe(3);
    fake.runs.get("run-1")?.generation();
    await expect.poll(rows).toBe(4);
    expect(complaints).toEqual([]);
  });
});

describe("the network", () => {
  it("is drawn for the generation that is looked at, against the parent's", async () => {
    const { complaints } = renderApp("#/runs/run-1?tab=network&generation=1", withRun(30));
    const panel = view("Network");
    const widths = () =>
      [...panel.element().querySelectorAll(".network__width")].map((one) => one.textContent).join(" ");
    await expect.element(panel).toHaveTextContent("elite of generation 1");
    await expect.poll(widths).toBe("64 64 2");
    await button("Latest").click();
    await expect.element(panel).toHaveTextContent("elite of generation 30");
    await expect.poll(widths).not.toBe("64 64 2");
    await expect.element(panel).toHaveTextContent("layers.0.weight");
    expect(complaints).toEqual([]);
  });

  it("is searched, and saved as a drawing and as a picture", async () => {
    renderApp("#/runs/run-1?tab=network", withRun(2));
    const saved = savedFiles();
    const panel = view("Network");
    await expect.poll(() => panel.element().querySelectorAll(".network__layer").length).toBe(4);
    await page.getByRole("searchbox", { name: "Find a layer" }).fill("relu");
    await expect.element(panel).toHaveTextContent("2 layers found");
    expect(panel.element().querySelectorAll(".network__layer--dimmed")).toHaveLength(1);
    await button("Save SVG").click();
    await expect.poll(() => saved.size).toBe(1);
    await button("Save PNG").click();
    await expect.poll(() => saved.size).toBe(2);
    const [svg, png] = await Promise.all(saved.values());
    const drawing = new DOMParser().parseFromString(svg ?? "", "image/svg+xml").documentElement;
    expect(drawing.querySelectorAll("circle[fill^='rgb']").length).toBeGreaterThan(100);
    expect(drawing.querySelector("[class]")).toBeNull();
    expect(png?.slice(1, 4)).toBe("PNG");
  });

  it("shows what its layers give at play, and of later agents when asked", async () => {
    const { fake, complaints } = renderApp("#/runs/run-1?tab=network", withRun(2));
    const list = page.getByRole("list", { name: "Histograms of the activations" });
    await expect.element(list).toHaveTextContent("actor.encoder.linear_1");
    await expect.element(list).toHaveTextContent("actor.head_net.output");
    expect(list.element().querySelectorAll("svg.histogram").length).toBeGreaterThan(3);
    await expect.element(view("Network")).toHaveTextContent(/, generation 2, after its activation/);
    fake.runs.get("run-1")?.generation();
    await page.getByRole("button", { name: /^Watch #\d+ of generation 3$/ }).click();
    await expect.element(view("Network")).toHaveTextContent(/, generation 3, after its activation/);
    await expect.element(list).toHaveTextContent("actor.encoder.linear_1");
    expect(complaints).toEqual([]);
  });

  it("draws stored weights, and lights units while the agent plays", async () => {
    const { complaints } = renderApp("#/runs/run-1?tab=network", (fake) => {
      withRun(2)(fake);
      // The agent at play has other layers than the fake weights; their names decide.
      const { network } = fake.coordinator;
      fake.coordinator.network = async (id, ref) =>
        (await network(id, ref)).map((one) => ({
          ...one,
          links: one.links.map((link, at) => ({
            ...link,
            layer: at === one.links.length - 1 ? "head_net.output" : link.layer,
          })),
        }));
    });
    const panel = view("Network");
    await expect
      .poll(() => panel.element().querySelectorAll(".network__edge--negative").length)
      .toBeGreaterThan(0);
    await expect.element(panel).toHaveTextContent(/strongest of 4,\d{3} connections/);
    const step = await shown(".player__controls button:nth-of-type(2)");
    // Steps before the agent is on stage do nothing.
    const lit = (): number => {
      if (step instanceof HTMLElement) step.click();
      return panel.element().querySelectorAll("[data-level]").length;
    };
    await expect.poll(lit).toBe(2);
    expect(complaints).toEqual([]);
  });

  it("says why its layers cannot be watched", async () => {
    renderApp("#/runs/run-1?tab=network", (fake) => {
      withRun(2)(fake);
      const { agent } = fake.coordinator;
      fake.coordinator.agent = async (id, ref) => ({ ...(await agent(id, ref)), environment: "user/mine" });
    });
    await expect
      .element(page.getByRole("alert").filter({ hasText: "The activations could not be read" }))
      .toHaveTextContent("The code of user/mine is not available");
  });

  it("tells layers in numbers", async () => {
    renderApp("#/runs/run-1?tab=network&view=table", withRun(1));
    await expect.element(view("Layers")).toBeVisible();
    expect(view("Layers").element().querySelectorAll("tbody tr")).toHaveLength(3);
  });
});

/** The first element of a selector, once the page has it. */
async function shown(selector: string): Promise<Element> {
  await expect.poll(() => document.querySelector(selector)).not.toBeNull();
  return document.querySelector(selector) as Element;
}

describe("what the pointer shows", () => {
  it("lies within the family tree, also at its corners", async () => {
    renderApp("#/runs/run-1?tab=lineage", withRun(5));
    await expect.element(view("Lineage")).toBeVisible();
    const canvas = await shown(".lineage__canvas");
    const tree = canvas.getBoundingClientRect();
    const tip = () => document.querySelector(".lineage__tip")?.getBoundingClientRect();
    const tips = (): DOMRect[] => {
      const found: DOMRect[] = [];
      for (let x = 0; x < tree.width; x += 12)
        for (let y = 0; y < tree.height; y += 12) {
          const at = { clientX: tree.left + x, clientY: tree.top + y, bubbles: true };
          flushSync(() => canvas.dispatchEvent(new PointerEvent("pointermove", at)));
          const box = tip();
          if (box !== undefined) found.push(box);
        }
      return found;
    };
    // The tree is drawn after its canvas is there.
    await expect.poll(() => tips().length).toBeGreaterThan(3);
    for (const box of tips()) {
      expect(box.left).toBeGreaterThanOrEqual(tree.left - 1);
      expect(box.right).toBeLessThanOrEqual(tree.right + 1);
      expect(box.top).toBeGreaterThanOrEqual(tree.top - 1);
      expect(box.bottom).toBeLessThanOrEqual(tree.bottom + 1);
    }
  });

  it("moves no chart of the metrics, whose last label has room", async () => {
    renderApp("#/runs/run-1?tab=metrics", withRun(5));
    const over = await shown(".plot__handle");
    const plot = over.closest(".plot");
    const tops = () => [...document.querySelectorAll(".plot")].map((one) => one.getBoundingClientRect().top);
    const before = tops();
    await userEvent.hover(over);
    await expect.poll(() => plot?.querySelector(".plot__readout")?.textContent).not.toBe("");
    expect(tops()).toEqual(before);
    const room =
      (over.closest(".plot__stage")?.getBoundingClientRect().right ?? 0) - over.getBoundingClientRect().right;
    expect(room).toBeGreaterThanOrEqual(24);
  });
});

describe("compare", () => {
  it("shows runs side by side, by their differences or by all", async () => {
    renderApp("#/compare?runs=run-1,run-2", twoRuns);
    const config = view("Configuration");
    await expect.element(config).toHaveTextContent("algorithm.lr");
    await expect.element(config).not.toHaveTextContent("environment.name");
    await config.getByRole("button", { name: "All" }).click();
    await expect.element(config).toHaveTextContent("environment.name");
    const table = view("Metrics table");
    await expect.poll(() => table.element().querySelectorAll("tbody tr").length).toBe(4);
    await expect.poll(() => view("Curves").element().querySelectorAll(".plot__surface").length).toBe(1);
    await page.getByRole("combobox", { name: "Measure" }).selectOptions("loss");
    await expect.element(view("Curves").getByText("loss of 2 runs", { exact: false })).toBeInTheDocument();
  });

  it("gives each environment its own chart, and draws a run with a single point", async () => {
    renderApp("#/compare?runs=run-1,run-2,run-3", (fake) => {
      twoRuns(fake);
      const environment = { env_type: "gym", name: "MountainCar-v0" };
      fake.add({ ...manifest, algorithm: { name: "DQN" }, environment }, { name: "Uphill" }).generation();
    });
    const curves = view("Curves");
    await expect
      .element(curves.getByText("best fitness so far in CartPole-v1", { exact: true }))
      .toBeVisible();
    await expect
      .element(curves.getByText("best fitness so far in MountainCar-v0", { exact: true }))
      .toBeVisible();
    await expect.poll(() => curves.element().querySelectorAll(".plot__surface").length).toBe(2);
    // The third run's colour, which nothing else of this chart has.
    const { backgroundColor } = getComputedStyle(
      page
        .getByRole("list", { name: "Runs", exact: true })
        .getByRole("listitem")
        .filter({ hasText: "Uphill" })
        .element()
        .querySelector("i") ?? document.body,
    );
    const dots = () =>
      [...(curves.element().querySelectorAll(".plot__surface")[1]?.querySelectorAll("circle") ?? [])].filter(
        (dot) => getComputedStyle(dot).fill === backgroundColor && dot.getBoundingClientRect().width > 3,
      ).length;
    await expect.poll(dots).toBe(1);
  });

  it("plays all elites on one stage, whatever they play", async () => {
    // React's strict mode starts one more and ends it.
    const stages = new Set<Worker>();
    class CountedWorker extends Worker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (options?.name === "rlkit stage") stages.add(this);
      }
      override terminate(): void {
        super.terminate();
        stages.delete(this);
      }
    }
    vi.stubGlobal("Worker", CountedWorker);
    onTestFinished(() => void vi.unstubAllGlobals());
    const { complaints } = renderApp("#/compare?runs=run-1,run-2,run-3", (fake) => {
      twoRuns(fake);
      const environment = { env_type: "gym", name: "MountainCar-v0" };
      fake.add({ ...manifest, algorithm: { name: "DQN" }, environment }, { name: "Uphill" }).generation();
    });
    await expect.element(view("Elites")).toBeInTheDocument();
    await expect.poll(elitesAtPlay).toEqual([
      ["My run, DQN CartPole-v1, lr 0.0023, generation 4", true],
      ["Faster, DQN CartPole-v1, lr 0.5, generation 3", true],
      ["Uphill, DQN MountainCar-v0, generation 1", true],
    ]);
    expect(view("Elites").element().querySelectorAll("canvas")).toHaveLength(1);
    // It may be the worker of a page before.
    expect(stages.size).toBeLessThanOrEqual(1);
    expect(complaints).toEqual([]);
  });

  it("says beside the others whose elite cannot play", async () => {
    renderApp("#/compare?runs=run-1,run-2", (fake) => {
      twoRuns(fake);
      const { agent } = fake.coordinator;
      fake.coordinator.agent = async (id, ref) => {
        const file = await agent(id, ref);
        return id === "run-1" ? { ...file, environment: "Teapot-v0" } : file;
      };
    });
    const elites = view("Elites");
    await expect.element(elites).toBeInTheDocument();
    await expect.poll(elitesAtPlay).toEqual([
      ["My run, lr 0.0023, generation 4", false],
      ["Faster, lr 0.5, generation 3", true],
    ]);
    await expect
      .element(elites)
      .toHaveTextContent('My run, lr 0.0023, generation 4: environment: unknown environment "Teapot-v0"');
  });

  it("is led to from the list of runs", async () => {
    renderApp("#/", twoRuns);
    await page.getByRole("checkbox", { name: "Select My run", exact: true }).click();
    await expect.element(button("Compare")).toHaveAttribute("aria-disabled", "true");
    await page.getByRole("checkbox", { name: "Select Faster", exact: true }).click();
    await button("Compare").click();
    await expect.element(page.getByRole("heading", { level: 1, name: "Compare" })).toBeVisible();
    await expect.element(view("Configuration")).toHaveTextContent("algorithm.lr");
  });

  it("has its runs in the address", async () => {
    renderApp("#/compare?runs=run-1,run-2", twoRuns);
    await button("Remove Faster, lr 0.5").click();
    await expect.poll(() => window.location.hash).toBe("#/compare?runs=run-1");
    await expect.element(page.getByText("Select 2 to 40 runs")).toBeVisible();
    await page.getByRole("combobox", { name: "Add a run" }).selectOptions("run-2");
    await expect.poll(() => window.location.hash).toMatch(/runs=run-1(,|%2C)run-2/);
    await expect.element(view("Curves")).toBeVisible();
  });

  it("says which run is not there, and goes on without it", async () => {
    renderApp("#/compare?runs=run-1,run-9,run-2", twoRuns);
    await expect.element(page.getByRole("alert").first()).toHaveTextContent("Run run-9 could not be opened");
    await expect.element(view("Curves")).toBeVisible();
    await button("Remove this run").click();
    await expect.poll(() => window.location.hash).not.toContain("run-9");
  });
});

describe("views without a history", () => {
  const tabs = ["lineage", "hyperparameters", "metrics", "network"];

  it.each(tabs)("%s says when it will fill", async (tab) => {
    renderApp(`#/runs/run-1?tab=${tab}`, withRun(0));
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await expect.poll(() => window.location.hash).toBe("#/runs/run-1");
  });

  it.each(tabs)("%s says what failed, and tries again", async (tab) => {
    let broken = true;
    renderApp(`#/runs/run-1?tab=${tab}`, (fake) => {
      withRun(2)(fake);
      const { history } = fake.coordinator;
      fake.coordinator.history = async (id, from) => {
        if (broken) throw new Error("The log is damaged; import the run again.");
        return history(id, from);
      };
    });
    await expect.element(page.getByRole("alert")).toHaveTextContent("The log is damaged");
    broken = false;
    await button("Try again").click();
    await expect.element(button("Try again")).not.toBeInTheDocument();
  });
});

describe.each(["light", "dark"])("for everybody, %s", (theme) => {
  beforeEach(() => {
    document.documentElement.dataset.theme = theme;
    return () => {
      delete document.documentElement.dataset.theme;
    };
  });

  it.each([
    ["#/runs/run-1?tab=lineage&member=0", "Lineage"],
    ["#/runs/run-1?tab=lineage&view=table", "Lineage"],
    ["#/runs/run-1?tab=hyperparameters", "Hyperparameters"],
    ["#/runs/run-1?tab=metrics", "Metrics"],
    ["#/runs/run-1?tab=network", "Network"],
    ["#/compare?runs=run-1,run-2", "Curves"],
  ])("%s", async (hash, name) => {
    renderApp(hash, twoRuns);
    await expect.element(view(name)).toBeVisible();
    for (const details of document.querySelectorAll("details")) details.open = true;
    expect(await axeFaults()).toEqual([]);
  });
});
