import { describe, expect, it } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { MemberReport } from "../../../../src/tracking/observer.ts";
import { useHighlight } from "../../../../src/ui/state/highlight.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { withRun } from "../../../ui/support/withRun.ts";

const button = (name: string) => page.getByRole("button", { name, exact: true });

const item = (name: string) => page.getByRole("menuitem", { name, exact: true });

/** The events of a drag. Without a window, Chromium does not begin one by the mouse. */
function drag(from: Element, onto: Element): void {
  const dataTransfer = new DataTransfer();
  const tell = (element: Element, type: string): boolean =>
    element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
  tell(from, "dragstart");
  // An element that may be dropped on cancels the event.
  if (!tell(onto, "dragover")) tell(onto, "drop");
}

describe("the population of a run", () => {
  it("tells in every row of the table who the member is, and whose child, and sorts them", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=population", withRun(3));
    const table = page.getByRole("region", { name: "Population" }).getByRole("table");
    await expect.element(table).toBeVisible();
    const headings = table.getByRole("columnheader").elements();
    const column = (name: string): number =>
      headings.findIndex(({ textContent }) => textContent?.startsWith(name));
    // By now children have indices that are no slots.
    const members = fake.runs.get("run-1")?.generations.at(-1)?.members ?? [];
    expect(members.some(({ slot, index }) => slot !== index)).toBe(true);
    const rows = () => table.getByRole("row").elements().slice(1);
    const cells = (name: string) => rows().map((row) => row.children[column(name)]?.textContent?.trim());
    const ranked = members.toSorted((a, b) => b.fitness - a.fitness);
    const parentOf = ({ parent, index }: MemberReport) => (parent === index ? "survived" : `#${parent}`);
    expect(cells("Parent")).toEqual(ranked.map(parentOf));
    expect(cells("Member").map((text) => text?.replace("elite", ""))).toEqual(
      ranked.map(({ index }) => `#${index}`),
    );
    expect(cells("Member").filter((text) => text?.endsWith("elite"))).toHaveLength(1);
    await table.getByRole("button", { name: "Fitness" }).click();
    await expect.poll(() => cells("Parent")).toEqual(ranked.toReversed().map(parentOf));
    await expect
      .element(table.getByRole("columnheader", { name: "Fitness" }))
      .toHaveAttribute("aria-sort", "ascending");
  });

  it("opens a member's card by a click anywhere in its row, in view", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=population", withRun(3));
    const table = page.getByRole("region", { name: "Population" }).getByRole("table");
    await expect.element(table).toBeVisible();
    const [first] = fake.runs.get("run-1")?.generations.at(-1)?.members ?? [];
    const row = () => page.getByRole("row", { name: `#${first?.index}` }).first();
    const card = page.getByRole("region", { name: `Member ${first?.index}`, exact: true });
    await row().getByRole("cell").nth(2).click();
    await expect.element(card).toBeInViewport({ ratio: 0.2 });
    // A menu in the row opens itself alone.
    await button(`Steer member ${first?.index}`).click();
    await userEvent.keyboard("{Escape}");
    await expect.element(card).toBeVisible();
    await row().getByRole("cell").nth(2).click();
    await expect.element(card).not.toBeInTheDocument();
  });

  it("steers a member, and shows what waits until it acts or is cancelled", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=population", withRun(3));
    const [first, second] = fake.runs.get("run-1")?.generations.at(-1)?.members ?? [];
    if (first === undefined || second === undefined) throw new Error("The run has no members.");
    const open = () => button(`Steer member ${first.index}`).click();
    await open();
    await item("Protect").click();
    const queue = page.getByRole("status").filter({ hasText: "When generation 4 ends" });
    await expect.element(queue).toHaveTextContent(`#${first.index} protected`);
    await open();
    await item("Set hyperparameter…").click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabelText("Hyperparameter").selectOptions("lr");
    await dialog.getByLabelText("Value").fill("0.5");
    await dialog.getByRole("button", { name: "Set" }).click();
    await open();
    await expect.element(item("Clone onto…")).toBeVisible();
    await userEvent.keyboard("{ArrowDown}{ArrowRight}");
    await expect.element(item(`#${second.index}`)).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    await expect
      .poll(() => fake.runs.get("run-1")?.steering.map(({ action }) => action))
      .toEqual([
        { kind: "protect", index: first.index, on: true },
        { kind: "set", index: first.index, hyperparameter: "lr", value: 0.5 },
        { kind: "clone", index: first.index, over: second.index },
      ]);
    await button(`Cancel: #${first.index} protected`).click();
    await expect.element(queue).not.toHaveTextContent("protected");
    await expect.element(queue).toHaveTextContent(`lr of #${first.index} set to 0.5`);
    expect(fake.runs.get("run-1")?.steering.at(-1)?.action).toEqual({ kind: "cancel", entry: 0 });
    // It has happened.
    fake.runs.get("run-1")?.generation();
    await expect.element(queue).not.toBeInTheDocument();
    fake.runs.get("run-1")?.setState("finished");
    await expect.element(button(`Steer member ${first.index}`)).not.toBeInTheDocument();
  });

  it("lets a member be dragged onto one that its copy replaces", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=population", withRun(3));
    const [first, second] = fake.runs.get("run-1")?.generations.at(-1)?.members ?? [];
    const row = (member: MemberReport | undefined) =>
      page.getByRole("row", { name: `#${member?.index}` }).first();
    await expect.element(row(first)).toBeVisible();
    drag(row(first).element(), row(second).element());
    await expect
      .poll(() => fake.runs.get("run-1")?.steering.map(({ action }) => action))
      .toEqual([{ kind: "clone", index: first?.index, over: second?.index }]);
    // A member does not replace itself.
    drag(row(first).element(), row(first).element());
    drag(row(second).element(), row(first).element());
    await expect.poll(() => fake.runs.get("run-1")?.steering).toHaveLength(2);
  });

  it("lights a member under a pointer that moves, and not under one that rests", async () => {
    renderApp("#/runs/run-1?tab=population", withRun(2));
    const rows = () => [...document.querySelectorAll(".population tbody tr")];
    await expect.poll(() => rows().length).toBe(4);
    const lit = () => rows().map((row) => row.classList.contains("population__lit"));
    const tell = (row: Element | undefined, kind: string, clientX: number) =>
      row?.dispatchEvent(new PointerEvent(kind, { clientX, clientY: 300, bubbles: true }));
    tell(rows()[1], "pointermove", 40);
    tell(rows()[1], "pointerout", 40);
    await expect.poll(lit).not.toContain(true);
    // As browsers tell of a pointer under which the page has changed.
    tell(rows()[1], "pointerover", 40);
    tell(rows()[1], "pointermove", 40);
    expect(useHighlight.getState().member).toBeNull();
    tell(rows()[1], "pointermove", 44);
    await expect.poll(lit).toEqual([false, true, false, false]);
    // What is looked at is gone with its view.
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await expect.poll(() => useHighlight.getState().member).toBeNull();
  });

  it("keeps a member chosen over generations", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=population", withRun(2));
    const run = fake.runs.get("run-1");
    const chosen = run?.generations.at(-1)?.members[0];
    await page
      .getByRole("button", { name: `#${chosen?.index}`, exact: false })
      .first()
      .click();
    const heading = () => document.querySelector(".details__title")?.textContent;
    await expect.poll(heading).toContain(`Member #${chosen?.index}`);
    run?.generation();
    run?.generation();
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 4");
    // Slot 0 of the pretended run is the elite's: its line goes on, or the page says that it ended.
    await expect
      .poll(() => heading() ?? document.querySelector(".details__ended")?.textContent ?? "")
      .toMatch(/Member #\d+|ended before/);
  });

  it("looks back at any generation, and from ancestor to ancestor to the first", async () => {
    const { fake, complaints } = renderApp("#/runs/run-1?tab=population&generation=150", withRun(300));
    const population = page.getByRole("region", { name: "Population" });
    const reports = fake.runs.get("run-1")?.generations ?? [];
    const fitnessOf = (generation: number) => reports[generation - 1]?.members[1]?.fitness.toFixed(1) ?? "";
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 150 of 300");
    await expect.element(population.getByRole("table")).toHaveTextContent(fitnessOf(150));
    const memberOf = (generation: number) => reports[generation - 1]?.members[1]?.index;
    window.location.hash = `#/runs/run-1?tab=population&generation=150&member=${memberOf(150)}`;
    const ancestors = () => population.element().querySelectorAll(".details__ancestry li").length;
    await expect.poll(ancestors).toBe(12);
    expect(fake.paged.every(([first, last]) => last - first < 64)).toBe(true);
    for (let at = 150; at > 1; ) {
      at = Math.max(1, at - 11);
      await population.getByRole("link", { name: `generation ${at}`, exact: true }).click();
      await expect.element(page.getByRole("status")).toHaveTextContent(`Generation ${at} of 300`);
      await expect.element(population.getByRole("table")).toHaveAttribute("aria-busy", "false");
      await expect.poll(ancestors).toBe(Math.min(12, at));
    }
    await expect.element(button("Previous generation")).toHaveAttribute("aria-disabled", "true");
    await expect.element(population.getByRole("table")).toHaveTextContent(fitnessOf(1));
    await button("Latest").click();
    await expect.element(page.getByRole("status")).toHaveTextContent(/^Generation 300$/);
    expect(complaints).toEqual([]);
  });

  it("keeps what is looked back at while training goes on", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=population&generation=5", withRun(6));
    const population = page.getByRole("region", { name: "Population" });
    const memberOf = (slot: number) => fake.runs.get("run-1")?.generations[4]?.members[slot]?.index;
    await population.getByRole("button", { name: new RegExp(`^#${memberOf(2)}\\b`) }).click();
    await expect.poll(() => population.element().querySelectorAll(".details__ancestry li").length).toBe(5);
    for (let more = 0; more < 100; more += 1) fake.runs.get("run-1")?.generation();
    await expect.element(page.getByRole("status")).toHaveTextContent("Generation 5 of 106");
    await expect.poll(() => population.element().querySelectorAll(".details__ancestry li").length).toBe(5);
    await population.getByRole("button", { name: new RegExp(`^#${memberOf(3)}\\b`) }).click();
    await expect.poll(() => population.element().querySelectorAll(".details__ancestry li").length).toBe(5);
  });

  it("says which generations are lost, and why one cannot be read", async () => {
    const { fake } = renderApp("#/runs/run-1?tab=population&generation=20", (coordinator) => {
      withRun(60)(coordinator);
      coordinator.lost = 30;
    });
    const population = page.getByRole("region", { name: "Population" });
    await expect
      .element(population)
      .toHaveTextContent("Only the fitness of each member of generation 20 is available");
    await expect.element(population.getByRole("table")).not.toBeInTheDocument();
    const member = fake.runs.get("run-1")?.generations[31]?.members[1]?.index;
    window.location.hash = `#/runs/run-1?tab=population&generation=32&member=${member}`;
    await expect
      .element(population)
      .toHaveTextContent("The log of earlier generations was deleted or damaged.");
    expect(population.element().querySelectorAll(".details__ancestry li")).toHaveLength(2);
    fake.nextError = new Error("The disk is gone.");
    window.location.hash = "#/runs/run-1?tab=population&generation=50";
    await expect.element(population).toHaveTextContent("Generation 50 could not be read: The disk is gone.");
  });
});
