import { describe, expect, it, onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { RUN_TABS } from "../../../../src/ui/routes/route.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { axeFaults } from "../../../ui/support/axeFaults.ts";
import { withRun } from "../../../ui/support/withRun.ts";

/** Views of this folder; the others have tests of their own. */
const TABS = RUN_TABS.filter((tab) =>
  ["overview", "population", "checkpoints", "log", "config", "kernels"].includes(tab),
);

describe.each(["light", "dark"])("axe, %s", (theme) => {
  it.each(TABS)("finds nothing in the view %s of a run", async (tab) => {
    document.documentElement.dataset.theme = theme;
    onTestFinished(() => {
      delete document.documentElement.dataset.theme;
    });
    renderApp(`#/runs/run-1?tab=${tab}`, withRun(3));
    await expect.element(page.getByRole("navigation", { name: "Views of this run" })).toBeVisible();
    await expect.poll(() => document.querySelectorAll("main .panel").length).toBeGreaterThan(0);
    await expect.poll(() => document.querySelector(".loading")).toBeNull();
    expect(await axeFaults({ include: ["main"], exclude: [".wall"] })).toEqual([]);
  });
});
