/** docs/language-models.md: its code compiles, and runs one stage after another. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { ExampleProject } from "./checkExamples.ts";

const page = readFileSync(path.join(root, "docs/language-models.md"), "utf8");
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
const project = new ExampleProject();
afterAll(() => project.remove());

it("loads, trains by an adapter, trains on rewards, a population too, and goes on from the stage before", () => {
  const [load = "", sft = "", grpo = "", population = "", dpo = "", ...others] = examples;
  expect(others).toEqual([]);
  project.write("load.ts", `${load}console.log(shape.join());\n`);
  project.write("sft.ts", sft);
  project.write("grpo.ts", grpo);
  project.write(
    "population.ts",
    `${population}console.log(population.length, fitnesses.every(Number.isFinite));\n`,
  );
  project.write("dpo.ts", `${dpo}console.log(Object.keys(agent.member.policy).length);\n`);
  expect(project.complaints()).toBe("");
  expect(project.run("load.ts").trim().split("\n").at(-1)).toBe("2,3,98");
  const losses = project.run("sft.ts").trim().split("\n").map(Number);
  expect(losses).toHaveLength(21);
  expect(losses[19]).toBeLessThan(losses[0] ?? 0);
  const rewards = project.run("grpo.ts").trim().split("\n");
  expect(rewards).toHaveLength(10);
  expect(project.run("population.ts").trim().split("\n").at(-1)).toBe("2 true");
  expect(project.run("dpo.ts").trim()).toBe("56");
});
