/** An environment is one file and one registration; docs/extending/environment.md shows this one. */
// @apart: it registers what the library does not have.

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { Balloon } from "../../../examples/Balloon.ts";
import { root } from "../../../scripts/lib/environment.mjs";
import { registerEnvironment } from "../../../src/agents/index.ts";
import { drawEnvironment, findEnvironment, make } from "../../../src/rl/environments.ts";
import { dqn, trained } from "../../training/support/tiny.ts";
import { recorder, size, theme } from "../support/drawingRecorder.ts";

registerEnvironment(Balloon);

it("is trained in by its name", async () => {
  const { population } = await trained(dqn({ environment: { name: Balloon.id, num_envs: 4 } }));
  expect(population.map(({ steps }) => steps)).toEqual([480, 480]);
  expect([0, 1]).toContain(population[0]?.getAction([0, 0], { training: false }));
});

it("is drawn by its name, and by what plays it", () => {
  const env = make(Balloon.id);
  env.reset({ seed: 1 });
  env.step(1);
  const [own, named] = [recorder(), recorder()];
  env.render({ context: own.context, size, theme });
  const { state, action } = env.render();
  drawEnvironment(Balloon.id)?.(named.context, state, action, size, theme);
  expect(own.calls).toEqual(named.calls);
  expect(own.calls.filter(({ name }) => name === "arc")).toHaveLength(1);
});

it("is shown by the workbench at its speed, with its glyph", async () => {
  expect(findEnvironment(Balloon.id).frame_rate).toBe(20);
  // Imported here because the module builds its glyphs at import, as in the build.
  const { environmentGlyphs } = await import("../../../src/ui/components/environmentGlyphs.ts");
  expect(environmentGlyphs[Balloon.id]).toEqual(Balloon.glyph);
});

/** The names that a source imports, and its lines without the imports, which depend on where it lies. */
function partsOf(code: string) {
  const imports = /^import \{ (.*) \} from .*\n/gm;
  const names = [...code.matchAll(imports)].flatMap(([, list = ""]) => list.split(", ")).sort();
  return { names, rest: code.replaceAll(imports, "") };
}

it("is what the documentation shows", () => {
  const page = readFileSync(path.join(root, "docs/extending/environment.md"), "utf8");
  const [, shown = ""] =
    /^```ts\n\/\/ src\/rl\/environments\/balloon\/Balloon\.ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
  expect(partsOf(shown)).toEqual(partsOf(readFileSync(path.join(root, "examples/Balloon.ts"), "utf8")));
});
