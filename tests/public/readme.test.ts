/** The README's code, compiled and run as it stands there, for fewer steps. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { ExampleProject } from "./checkExamples.ts";

const page = readFileSync(path.join(root, "README.md"), "utf8");
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
const project = new ExampleProject();
afterAll(() => project.remove());

/** The example with other numbers, which it must have. */
function shortened(code: string, numbers: Readonly<Record<string, string>>): string {
  return Object.entries(numbers).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, code);
}

it("trains from a manifest's file, and with ready objects", () => {
  const [fromManifest = "", fromObjects = "", ...others] = examples;
  expect(others).toEqual([]);
  const end = "\nconsole.log(population.length, fitnesses.every(Number.isFinite));\n";
  project.write("fromManifest.ts", fromManifest + end);
  project.write(
    "fromObjects.ts",
    shortened(fromObjects, {
      "max_steps: 60_000": "max_steps: 640",
      "evo_steps: 4_000": "evo_steps: 320",
    }) + end,
  );
  expect(project.complaints()).toBe("");
  const training = "{ pop_size: 2, max_steps: 320, evo_steps: 160 }";
  project.write(
    "dqn-cartpole.yaml",
    `algorithm: { name: DQN }\nenvironment: { name: CartPole-v1 }\ntraining: ${training}\n`,
  );
  expect(project.run("fromManifest.ts").trim().split("\n").at(-1)).toBe("2 true");
  expect(project.run("fromObjects.ts").trim().split("\n").at(-1)).toBe("4 true");
});
