/** The guides' code compiles, and does what the guides say of it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { ExampleProject } from "./checkExamples.ts";

/** The programs of a guide: each begins with a block that imports, and goes on in those that do not. */
function programsOf(guide: string): string[] {
  const page = readFileSync(path.join(root, "docs/guides", `${guide}.md`), "utf8");
  const programs: string[] = [];
  for (const [, code = ""] of page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    if (code.startsWith("import ")) programs.push(code);
    else programs.push((programs.pop() ?? "") + code);
  }
  return programs;
}

/** What each program of a guide must print, in order. */
const GUIDES: Readonly<Record<string, readonly ((printed: string[]) => void)[]>> = {
  "loop-by-hand": [
    ([fitness]) => expect(Number(fitness)).toBeGreaterThan(60),
    (losses) => expect(losses.join(" ")).toMatch(/^\{ actor_loss: null, critic_loss: [\d.]+ \}$/),
    ([fitness]) => expect(Number(fitness)).toBeGreaterThan(200),
    (generations) => {
      expect(generations).toHaveLength(4);
      expect(generations[0]).toMatch(/^0 None: [\d.]+, 1 None: [\d.]+, 2 None: [\d.]+, 3 None: [\d.]+$/);
      expect(generations.slice(1).join()).toMatch(/add_|remove_|param|lr|batch_size|learn_step/);
    },
  ],
  "from-other-libraries": [([line]) => expect(line).toMatch(/^16384 \d+/)],
};

const nameOf = (guide: string, i: number): string => `${guide}-${i}.ts`;
const project = new ExampleProject();
let printed: string[][] = [];

beforeAll(() => {
  const files = Object.keys(GUIDES).flatMap((guide) =>
    programsOf(guide).map((code, i) => {
      project.write(nameOf(guide, i), code);
      return nameOf(guide, i);
    }),
  );
  printed = project.run(...files).map((text) => text.trim().split("\n"));
});
afterAll(() => project.remove());

it("is accepted by the compiler", () => {
  expect(project.complaints()).toBe("");
});

it.each(Object.entries(GUIDES))("%s prints what it says", (guide, checks) => {
  expect(programsOf(guide)).toHaveLength(checks.length);
  const before = Object.keys(GUIDES).slice(0, Object.keys(GUIDES).indexOf(guide));
  const first = before.reduce((count, name) => count + (GUIDES[name]?.length ?? 0), 0);
  for (const [i, check] of checks.entries()) check(printed[first + i] ?? []);
});
