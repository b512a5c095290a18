import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { page, userEvent } from "vitest/browser";
import { templates } from "../../src/manifests/templates.ts";
import { renderApp } from "../ui/inside/support/renderApp.tsx";

const workspace = page.getByRole("region", { name: "Workspace" });
const button = (name: string) => workspace.getByRole("button", { name, exact: true });
/** Headings of the panels, in their order. */
const titles = () =>
  [...document.querySelectorAll(".workspace__grid [data-panel] h2")].map((one) => one.textContent);

/** The page that compares two runs of one template, with seeds 1 and 2. */
async function compareTwo() {
  await page.viewport(1280, 900);
  onTestFinished(() => page.viewport(414, 896));
  const rendered = renderApp("#/");
  const { manifest } = templates.find(({ id }) => id === "dqn-cartpole") ?? {};
  const ids = [1, 2].map((seed) => {
    const run = rendered.fake.add({ ...manifest }, { name: `Seed ${seed}` });
    for (let generation = 0; generation < 3; generation += 1) run.generation();
    run.setState("stopped");
    return run.summary().id;
  });
  window.location.hash = `#/compare?runs=${ids.join(",")}`;
  await expect.element(workspace).toBeVisible();
  return rendered;
}

beforeEach(() => localStorage.clear());

describe("a workspace of panels", () => {
  it("is arranged by buttons and by dragging grips, and kept in the address", async () => {
    const { complaints } = await compareTwo();
    await expect.poll(titles).toEqual(["Curves", "Metrics", "Configuration"]);
    await button("Move Curves later").click();
    await expect.poll(titles).toEqual(["Metrics", "Curves", "Configuration"]);
    const grip = (at: number) => document.querySelector(`[data-panel="${at}"] .workspace__grip`) as Element;
    await userEvent.dragAndDrop(grip(2), grip(0));
    await expect.poll(titles).toEqual(["Configuration", "Metrics", "Curves"]);
    expect(decodeURIComponent(window.location.hash)).toMatch(/panels=config[^!]*!metrics[^!]*!curves/);
    await button("Reset panels").click();
    await expect.poll(titles).toEqual(["Curves", "Metrics", "Configuration"]);
    expect(complaints).toEqual([]);
  });

  it("takes texts and names of the user's", async () => {
    await compareTwo();
    await workspace.getByRole("combobox", { name: "Add a panel" }).selectOptions("text");
    await page.getByRole("textbox", { name: "Name" }).fill("What I learnt");
    await page.getByRole("textbox", { name: "Text" }).fill("Both seeds agree.\n\nMore of them next.");
    await page.getByRole("button", { name: "Apply" }).click();
    await expect.poll(titles).toEqual(["Curves", "Metrics", "Configuration", "What I learnt"]);
    const panel = page.getByRole("region", { name: "What I learnt" });
    await expect.element(panel).toHaveTextContent("Both seeds agree.More of them next.");
  });

  it("stays empty when its last panel is removed, until it is reset", async () => {
    await compareTwo();
    for (const name of ["Curves", "Metrics", "Configuration"]) await button(`Remove ${name}`).click();
    await expect.element(workspace).toHaveTextContent("This workspace is empty");
    expect(titles()).toEqual([]);
    await button("Reset panels").click();
    await expect.poll(titles).toEqual(["Curves", "Metrics", "Configuration"]);
  });

  it("is saved as one HTML file with its charts, tables and texts", async () => {
    await compareTwo();
    const saved: Blob[] = [];
    const create = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      saved.push(blob as Blob);
      return create(blob as Blob);
    };
    try {
      await button("Save report").click();
      await expect.poll(() => saved.length).toBe(1);
    } finally {
      URL.createObjectURL = create;
    }
    const report = new DOMParser().parseFromString((await saved[0]?.text()) ?? "", "text/html");
    expect(report.querySelectorAll("script, link, img[src^=http]")).toHaveLength(0);
    expect(report.querySelectorAll("figure svg").length).toBeGreaterThan(0);
    expect([...report.querySelectorAll("h2")].map((one) => one.textContent)).toEqual(
      expect.arrayContaining(["Curves", "Metrics", "Configuration"]),
    );
    expect(report.body.textContent).toContain("Seed 2");
  });
});
