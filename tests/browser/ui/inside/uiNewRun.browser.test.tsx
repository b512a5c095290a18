import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { loadText, useEditor } from "../../../../src/ui/pages/editor/editorStore.ts";
import { sharedManifest } from "../../../../src/ui/pages/editor/sharedManifest.ts";
import { loadChampions } from "../../../../src/ui/pictures/loadPictures.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { axeFaults } from "../../../ui/support/axeFaults.ts";
import { withRun } from "../../../ui/support/withRun.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const section = (name: string) => page.getByRole("region", { name, exact: true });
const field = (of: string, name: string) => section(of).getByLabelText(name, { exact: true });

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
  loadText("", "draft", "yaml");
  useEditor.setState({ source: null });
});

describe("what a run begins with", () => {
  it("is a task and an algorithm, and then the editor with both", async () => {
    const { complaints } = renderApp("#/new");
    const task = page.getByRole("listitem", { name: "Pendulum", exact: true });
    const link = task.getByRole("link", { name: "SAC Pendulum" });
    await expect
      .element(link)
      .toHaveAccessibleName(
        "SAC Pendulum 10K steps each, 7 s: SAC Pendulum, reached -200 after 10,000 steps per agent, in 7 s on 2 vCPU AMD EPYC",
      );
    await expect.element(task).toHaveTextContent("Swing a pendulum up");
    await expect.element(page.getByText("time on 2 vCPU AMD EPYC")).toBeVisible();
    await link.click();
    await expect.element(page.getByRole("heading", { level: 1, name: "New run" })).toHaveFocus();
    await expect.element(field("algorithm", "name")).toHaveDisplayValue("SAC");
    expect(window.location.hash).toBe("#/new?template=sac-pendulum");
    expect(complaints).toEqual([]);
  });

  it("shows each task as its environment draws it, and its champion at play where one points", async () => {
    await page.viewport(1200, 800);
    onTestFinished(() => page.viewport(414, 896));
    renderApp("#/new");
    const task = page.getByRole("listitem", { name: "Acrobot", exact: true });
    const canvas = (): HTMLCanvasElement | null => task.element().querySelector("canvas");
    await expect
      .poll(() => task.element().querySelector(".picture")?.getAttribute("data-drawn"))
      .toBe("true");
    const still = canvas()?.toDataURL();
    await userEvent.hover(task);
    await expect.element(task.getByText("PPO, return", { exact: false })).toBeVisible();
    await expect.poll(() => canvas()?.toDataURL()).not.toBe(still);
    await userEvent.hover(page.getByRole("heading", { level: 1 }));
    await expect.poll(() => canvas()?.toDataURL()).toBe(still);
    task.getByRole("link").first().element().focus();
    await expect.poll(() => canvas()?.toDataURL()).not.toBe(still);
  });

  it("stays still for those who want no motion", async () => {
    const matches = vi.spyOn(window, "matchMedia").mockImplementation(
      (query) =>
        Object.assign(new EventTarget(), {
          matches: query.includes("reduced-motion"),
          media: query,
        }) as MediaQueryList,
    );
    onTestFinished(() => matches.mockRestore());
    renderApp("#/new");
    const task = page.getByRole("listitem", { name: "Acrobot", exact: true });
    await expect.element(task).toBeInTheDocument();
    // Pictures are drawn where they are seen.
    task.element().scrollIntoView();
    await expect
      .poll(() => task.element().querySelector(".picture")?.getAttribute("data-drawn"))
      .toBe("true");
    await userEvent.hover(task);
    await loadChampions();
    await expect.element(task.getByText("PPO, return", { exact: false })).not.toBeInTheDocument();
  });

  it("is nothing but what is needed, or what was changed last", async () => {
    renderApp("#/new");
    await expect.element(page.getByRole("link", { name: "Empty manifest" })).toBeVisible();
    expect(page.getByRole("link", { name: "Last draft" }).elements()).toEqual([]);
    await page.getByRole("link", { name: "Empty manifest" }).click();
    await field("training", "max_steps").fill("12_345");
    window.location.hash = "#/new";
    await page.getByRole("link", { name: "Last draft" }).click();
    await expect.element(field("training", "max_steps")).toHaveValue("12_345");
  });

  it("is a link that somebody sent", async () => {
    renderApp(`#/new?spec=${sharedManifest("algorithm: {name: PPO}\nenvironment: {name: Acrobot-v1}\n")}`);
    await expect.element(field("environment", "name")).toHaveValue("Acrobot-v1");
  });

  it("is no link that cannot be read", async () => {
    renderApp("#/new?spec=AAAA");
    await expect
      .element(page.getByRole("alert"))
      .toHaveTextContent("The manifest in this link cannot be read");
  });
});

describe("the editor of a run", () => {
  it("copies a link that opens the same text", async () => {
    const copied: string[] = [];
    const write = vi
      .spyOn(navigator.clipboard, "writeText")
      .mockImplementation(async (text) => void copied.push(text));
    onTestFinished(() => write.mockRestore());
    renderApp("#/new?template=dqn-cartpole");
    await field("algorithm", "batch_size").fill("48");
    await button("Copy link").click();
    await expect.poll(() => copied.length).toBe(1);
    const { text } = useEditor.getState();
    loadText("", "draft", "yaml");
    window.location.hash = new URL(copied[0] ?? "").hash;
    await expect.poll(() => useEditor.getState().text).toBe(text);
  });

  it("says what the run takes, with the time that the last such run tells", async () => {
    renderApp("#/new?template=dqn-cartpole", (fake) => {
      withRun(1)(fake);
      const { list } = { list: fake.coordinator.listRuns };
      fake.coordinator.listRuns = async () =>
        (await list()).map((run) => ({ ...run, steps_per_second: 4000 }));
    });
    const takes = page.getByLabelText("Estimated cost of this run");
    await expect.element(takes).toHaveTextContent("Steps240K");
    await expect.element(takes).toHaveTextContent("about 1 min 00 s");
    await expect.element(takes).toHaveTextContent("about 3.0 MB: members 1.0 MB, replay buffer 1.5 MB");
  });

  it("keeps its place for what the run takes, and Start in view", async () => {
    let resolve = (): void => undefined;
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    renderApp("#/new?template=dqn-cartpole", (fake) => {
      const { estimate } = fake.coordinator;
      fake.coordinator.estimate = async (text) => {
        await promise;
        return estimate(text);
      };
    });
    await expect.element(field("algorithm", "batch_size")).toBeVisible();
    const takes = page.getByLabelText("Estimated cost of this run");
    await expect.element(takes).toHaveTextContent("Steps–Time–Memory–");
    const places = () =>
      [...document.querySelectorAll(".editor__columns, .start-bar, .start-bar *:not(span)")].map(
        (element) => {
          const { left, top, height } = element.getBoundingClientRect();
          // The form and the text grow as their code loads.
          return element.matches(".editor__columns") ? [left, top] : [left, top, height];
        },
      );
    const before = places();
    resolve();
    await expect.element(takes).toHaveTextContent("Steps240K");
    expect(places()).toEqual(before);
    const isInView = (): boolean => {
      const { top, bottom } = button("Start").element().getBoundingClientRect();
      return top >= 0 && bottom <= window.innerHeight;
    };
    for (const scroll of [0, 0.5, 1]) {
      window.scrollTo(0, scroll * document.documentElement.scrollHeight);
      expect(isInView(), `scrolled by ${scroll}`).toBe(true);
    }
  });

  it("says it by what was measured for a moment, where that could be", async () => {
    renderApp("#/new?template=dqn-cartpole", (fake) => {
      fake.rate = 1000;
    });
    await expect
      .element(page.getByLabelText("Estimated cost of this run"))
      .toHaveTextContent("Time, from a short measurementabout 4 min 00 s");
  });

  it("finds fields by name, and hides those without effect behind one switch", async () => {
    renderApp("#/new?template=dqn-cartpole");
    await expect.element(field("algorithm", "batch_size")).toBeVisible();
    const all = document.querySelectorAll(".form-field").length;
    await page.getByRole("checkbox", { name: "Show fields that have no effect here" }).click();
    await expect.poll(() => document.querySelectorAll(".form-field").length).toBeGreaterThan(all);
    await page.getByLabelText("Find a field").fill("tournament_size");
    await expect.element(section("algorithm")).not.toBeInTheDocument();
    await expect.element(page.getByLabelText("tournament_size", { exact: true })).toBeVisible();
    await page.getByLabelText("Find a field").fill("no such field");
    await button("Show all fields").click();
    await expect.element(field("algorithm", "batch_size")).toBeVisible();
  });

  it("offers every algorithm of the format", async () => {
    renderApp("#/new?template=dqn-cartpole");
    const names = field("algorithm", "name");
    await expect.element(names).toBeVisible();
    const offered = [...names.element().querySelectorAll("option")].map(({ textContent }) => textContent);
    expect(offered).toEqual(expect.arrayContaining(["CQN", "NeuralTS", "NeuralUCB", "SFT"]));
    await userEvent.selectOptions(names, "PPO");
    await expect.element(field("algorithm", "clip_coef")).toBeVisible();
  });
});

describe("a sweep", () => {
  it("says how many runs it has, refuses too many, and queues all combinations", async () => {
    const { fake, complaints } = renderApp("#/new?template=ppo-cartpole");
    await button("Sweep…").click();
    const dialog = page.getByRole("dialog", { name: "Sweep" });
    await expect.element(dialog).toHaveTextContent("3 seeds: 3 runs.");
    await dialog.getByLabelText("Seeds", { exact: true }).fill("1..10000");
    await expect.element(dialog.getByRole("alert")).toHaveTextContent("found 10000 runs");
    await expect.element(button("Queue")).toHaveAttribute("aria-disabled", "true");
    await dialog.getByLabelText("Seeds", { exact: true }).fill("1, 2");
    await dialog.getByLabelText(/^Environments/).fill("CartPole-v1, Acrobot-v1");
    await dialog.getByLabelText(/^Other fields/).fill("lr: [0.001, 0.003, 0.01]");
    await expect.element(dialog).toHaveTextContent("2 environments × 3 values of lr × 2 seeds: 12 runs.");
    expect(await axeFaults({ include: ["[role=dialog]"] })).toEqual([]);
    fake.nextError = new Error("lr is too large");
    await button("Queue 12 runs").click();
    await expect.element(dialog.getByRole("alert")).toHaveTextContent("lr is too large");
    await button("Queue 12 runs").click();
    await expect.element(page.getByRole("heading", { level: 1, name: "Runs" })).toBeVisible();
    expect(window.location.hash).toContain("group=repeats");
    expect(fake.runs.size).toBe(12);
    expect(complaints).toEqual([]);
  });
});
