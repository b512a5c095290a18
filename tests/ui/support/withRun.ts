import { templates } from "../../../src/manifests/templates.ts";
import type { FakeCoordinator } from "../inside/support/fakeCoordinator.ts";

/** A manifest to pretend with. */
export const manifest = { ...templates[0]?.manifest };

/** Gives a coordinator one run, "My run", that has trained for some generations. */
export const withRun =
  (generations: number) =>
  (fake: FakeCoordinator): void => {
    const run = fake.add(manifest, { name: "My run" });
    for (let generation = 0; generation < generations; generation += 1) run.generation();
  };
