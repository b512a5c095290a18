/** What a game's run is called everywhere: its fitness is a rating. */
import { expect, it } from "vitest";
import { templates } from "../../../../src/manifests/templates.ts";
import { RUN_TABS } from "../../../../src/ui/routes/route.ts";
import { renderApp } from "../../../ui/inside/support/renderApp.tsx";
import { openPlace } from "../../../ui/support/openPlace.ts";

/** Texts, tooltips and names with the word, of everything that is shown. */
function fitnessTexts(): string[] {
  const elements = [...document.querySelectorAll("body *")];
  const told = elements.flatMap((element) => [
    ...["title", "aria-label", "aria-description", "placeholder"].map(
      (name) => element.getAttribute(name) ?? "",
    ),
    ...[...element.childNodes]
      .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
      .map((node) => node.nodeValue ?? ""),
  ]);
  return told.filter((text) => /\bfitness\b/i.test(text));
}

it("no view of a game says fitness", async () => {
  const manifest = templates.find(({ id }) => id === "ppo-tictactoe")?.manifest;
  renderApp("#/", (fake) => {
    for (const seed of [1, 2]) {
      const run = fake.add({ ...manifest }, { name: "A game", seed });
      for (let generation = 0; generation < 3; generation += 1) run.generation();
    }
  });
  const found: Record<string, readonly string[]> = {};
  const tables = ["overview", "lineage"].map((tab) => `${tab}&view=table&member=1`);
  const places = [...RUN_TABS, ...tables].map((tab) => `#/runs/run-1?tab=${tab}`);
  for (const hash of [...places, "#/compare?runs=run-1,run-2"]) {
    await openPlace(hash);
    const texts = fitnessTexts();
    if (texts.length > 0) found[hash] = texts;
  }
  expect(found).toEqual({});
});
