import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderApp } from "../ui/inside/support/renderApp.tsx";
import { axeFaults } from "../ui/support/axeFaults.ts";
import { withRun } from "../ui/support/withRun.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const link = (name: string) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true });

beforeEach(() => localStorage.clear());

describe("the shell", () => {
  it("leads to every page, names the tab after it and moves the focus to its heading", async () => {
    const { complaints } = renderApp("#/", withRun(2));
    await expect.element(heading("Runs")).toBeVisible();
    expect(document.activeElement).toBe(document.body);
    for (const name of ["New run", "Storage", "Settings", "Help", "Runs"]) {
      await link(name).click();
      await expect.element(heading(name)).toHaveFocus();
      await expect.element(link(name)).toHaveAttribute("aria-current", "page");
      expect(document.title).toBe(`${name} · rlkit`);
    }
    await page.getByRole("link", { name: "My run", exact: true }).first().click();
    await expect.poll(() => document.title).toBe("My run · rlkit");
    expect(complaints).toEqual([]);
  });

  it("shows the live run on every page, and holds it", async () => {
    const { fake } = renderApp("#/help", withRun(3));
    const live = page.getByRole("region", { name: "Live run" });
    await expect.element(live).toHaveTextContent("gen 3");
    await live.getByRole("button", { name: "Pause My run" }).click();
    await live.getByRole("button", { name: "Resume My run" }).click();
    await expect.poll(() => fake.runs.get("run-1")?.state).toBe("running");
    fake.runs.get("run-1")?.setState("finished");
    await expect.element(live).not.toBeInTheDocument();
  });

  it("says how much of the storage is used", async () => {
    await page.viewport(1280, 800);
    onTestFinished(() => page.viewport(414, 896));
    renderApp("#/");
    await expect
      .element(page.getByRole("link", { name: "Storage: 48.0 MB of 12.0 GB" }))
      .toHaveAttribute("href", "#/storage");
  });

  it("forgets what went wrong on a page when that is left, or when it is put right", async () => {
    const { fake } = renderApp("#/");
    fake.nextError = new Error("The disk is full; delete a run.");
    await button("Start").first().click();
    await expect.element(page.getByRole("alert")).toHaveTextContent("The disk is full; delete a run.");
    await link("Help").click();
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
    await link("Runs").click();
    fake.nextError = new Error("The disk is full; delete a run.");
    await button("Start").first().click();
    await button("Dismiss").click();
    await button("Start").first().click();
    await expect.element(page.getByRole("status").first()).toHaveTextContent("Generation 0");
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  });

  it("has a page for addresses that lead nowhere", async () => {
    renderApp("#/nowhere");
    await expect.element(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
  });
});

describe("settings", () => {
  it("switches its theme and remembers it", async () => {
    renderApp("#/settings");
    const background = (): string => getComputedStyle(document.documentElement).backgroundColor;
    await button("Dark").click();
    const dark = background();
    expect(localStorage.getItem("rlkit.theme")).toBe("dark");
    await button("Light").click();
    expect(background()).not.toBe(dark);
    await page.getByRole("group", { name: "Theme" }).getByRole("button", { name: "Auto" }).click();
    expect(localStorage.getItem("rlkit.theme")).toBeNull();
  });

  it("switches single keys off", async () => {
    renderApp("#/settings");
    await expect.element(heading("Settings")).toBeVisible();
    await userEvent.keyboard("gr");
    await expect.element(heading("Runs")).toHaveFocus();
    await userEvent.keyboard("?");
    await expect.element(heading("Help")).toHaveFocus();
    await link("Settings").click();
    await page.getByRole("checkbox", { name: "Shortcuts" }).click();
    await userEvent.keyboard("gr");
    await expect.element(heading("Settings")).toBeVisible();
    await page.getByRole("checkbox", { name: "Shortcuts" }).click();
    await userEvent.keyboard("t");
    await expect.element(button("Light")).toHaveAttribute("aria-pressed", "true");
    await userEvent.keyboard("gn");
    await expect.element(heading("New run")).toBeVisible();
  });
});

describe("the palette", () => {
  it("goes to what is found by a part of its name, and gives the focus back", async () => {
    const { complaints } = renderApp("#/", withRun(2));
    await expect.element(heading("Runs")).toBeVisible();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.fill(page.getByRole("combobox", { name: "Commands" }), "setti");
    await userEvent.keyboard("{Enter}");
    await expect.element(heading("Settings")).toBeVisible();
    await userEvent.keyboard("{Control>}k{/Control}");
    await userEvent.fill(page.getByRole("combobox", { name: "Commands" }), "pause my");
    await userEvent.keyboard("{Enter}");
    await expect.element(page.getByRole("button", { name: "Resume My run" }).first()).toBeInTheDocument();
    await userEvent.keyboard("{Control>}k{/Control}");
    await expect.element(page.getByRole("dialog")).toBeVisible();
    expect(await axeFaults({ landmarks: true })).toEqual([]);
    await userEvent.keyboard("{Escape}");
    await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
    expect(complaints).toEqual([]);
  });
});

it("the palette lists what was typed, and nothing else", async () => {
  renderApp("#/", withRun(2));
  await expect.element(heading("Runs")).toBeVisible();
  await userEvent.keyboard("{Control>}k{/Control}");
  await userEvent.fill(page.getByRole("combobox", { name: "Commands" }), "pend");
  const options = () =>
    page
      .getByRole("option")
      .elements()
      .map(({ textContent }) => textContent ?? "");
  await expect.poll(() => options().length).toBeGreaterThan(2);
  await expect.poll(() => options().filter((text) => !text.includes("Pendulum"))).toEqual([]);
  await userEvent.keyboard("{Escape}");
});

it("a dialog shades the whole window, the place of its scrollbar too", async () => {
  renderApp("#/", withRun(2));
  await expect.element(heading("Runs")).toBeVisible();
  const root = () => getComputedStyle(document.documentElement).backgroundColor;
  const bright = root();
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(page.getByRole("dialog")).toBeVisible();
  expect(root()).not.toBe(bright);
  await userEvent.keyboard("{Escape}");
  await expect.poll(root).toBe(bright);
});

it("a log without messages is awaited only while the run goes on", async () => {
  const { fake } = renderApp("#/runs/run-1?tab=log", withRun(1));
  const log = page.getByRole("region", { name: "Log", exact: true });
  await expect.element(log).toHaveTextContent("No messages yet.");
  fake.runs.get("run-1")?.setState("finished");
  await expect.element(log).toHaveTextContent("This run has no messages.");
});

it("every page can be reached on the narrowest of phones", async () => {
  await page.viewport(320, 640);
  onTestFinished(() => page.viewport(414, 896));
  renderApp("#/", withRun(1));
  await expect.element(heading("Runs")).toBeVisible();
  const outside = page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link")
    .elements()
    .filter((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return left < 0 || right > 320 || top < 0 || bottom > 640;
    });
  expect(outside.map((element) => element.textContent)).toEqual([]);
});

describe("leaving", () => {
  it("is asked about while a run trains here, and not after", async () => {
    const { fake } = renderApp("#/", withRun(1));
    await expect.element(page.getByRole("region", { name: "Live run" })).toBeInTheDocument();
    await heading("Runs").click();
    const leave = (): boolean => window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(leave()).toBe(false);
    fake.runs.get("run-1")?.setState("paused");
    await expect.poll(leave).toBe(true);
  });
});

describe.each(["light", "dark"])("axe, %s", (theme) => {
  it.each(["#/", "#/new", "#/new?template=dqn-cartpole", "#/storage", "#/settings", "#/help", "#/nowhere"])(
    "finds nothing at %s",
    async (hash) => {
      document.documentElement.dataset.theme = theme;
      renderApp(hash, withRun(3));
      await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect.poll(() => document.querySelector("[aria-busy=true], .loading")).toBeNull();
      expect(await axeFaults({ landmarks: true })).toEqual([]);
      delete document.documentElement.dataset.theme;
    },
  );

  it("finds nothing on the first visit", async () => {
    document.documentElement.dataset.theme = theme;
    renderApp("#/");
    await expect.element(button("Watch 8 agents learn")).toBeVisible();
    expect(await axeFaults({ landmarks: true })).toEqual([]);
    delete document.documentElement.dataset.theme;
  });
});
