/** The guides' code compiles, and does what the guides say of it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../../scripts/lib/environment.mjs";
import { pages } from "../docs/pages.ts";
import { ExampleProject } from "./checkExamples.ts";

const pageOf = (guide: string): string => readFileSync(path.join(root, "docs/guides", `${guide}.md`), "utf8");

/** The programs of a guide: each begins with a block that imports, and goes on in those that do not. */
function programsOf(guide: string): string[] {
  const programs: string[] = [];
  for (const [, code = ""] of pageOf(guide).matchAll(/^```ts\n([\s\S]*?)^```$/gm)) {
    if (code.startsWith("import ")) programs.push(code);
    else programs.push((programs.pop() ?? "") + code);
  }
  return programs;
}

interface Streamed {
  readonly global_step: number;
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
  sweeps: [
    (printed) => {
      expect(printed[0]).toMatch(/^lr=0\.001 3 [\d.]+ \[ /);
      expect(printed.join("\n")).toMatch(
        /\nlr=0\.003 3 [\d.]+ \[ [^]*algorithm\.lr,seed,fitness,steps,seconds,error/,
      );
    },
  ],
  spaces: [
    ([fitness, actions]) => {
      expect(Number(fitness)).toBeGreaterThan(18);
      expect(actions).toBe("Int32Array(2) [ 0, 1 ]");
    },
    ([open, soldOut]) => {
      expect(open).toMatch(/^Int32Array\(2\) \[ [012], [01] \]$/);
      expect(soldOut).toBe("Int32Array(2) [ 1, 0 ] Int32Array(2) [ 1, 0 ]");
    },
  ],
  observers: [
    (lines) => {
      expect(lines[0]).toMatch(/^generation 1, 4096 steps: best fitness [\d.]+$/);
      expect(lines.filter((line) => /^ {2}agent \d+: \S+, lr \d\S*$/.test(line))).toHaveLength(16);
      expect(lines).toContain("ended: max_steps");
      const [end = "", result = ""] = lines.slice(-2);
      expect(end).toMatch(/^stopped \d+$/);
      expect(Number(end.split(" ")[1])).toBeLessThan(32_768);
      expect(Number(result.split(" ")[1])).toBeGreaterThanOrEqual(300);
    },
    (lines) => {
      const steps = lines.map((line) => (JSON.parse(line.slice("data: ".length)) as Streamed).global_step);
      expect(steps).toEqual([1024, 2048, 3072, 4096]);
    },
  ],
  "own-networks": [
    ([action]) => expect(action).toMatch(/^[01]$/),
    ([mutations]) => expect(mutations).toMatch(/head_net\.(add|remove)_(node|layer)/),
    (lines) => {
      expect(lines[0]).toBe("TD3 640");
      expect(lines[1]).toBe("linear_1.weight add_layer,remove_layer,add_node,remove_node");
      expect(lines[2]).toBe("true [80] [64]");
    },
  ],
  schedules: [
    (lines) => {
      const used = [0.875, 0.625, 0.375, 0.125].map((part) => `0.001 ${(part / 1000).toFixed(6)}`);
      expect(lines).toEqual([...used, "0.99904"]);
    },
    (lines) => expect(lines).toEqual(["0.001", "0.00075", "0.0005", "0.00025"]),
  ],
  "from-other-libraries": [([line]) => expect(line).toMatch(/^16384 \d+/)],
};

/** Files of a guide, whose first line is their name. */
const filesOf = (guide: string): string[][] =>
  [...pageOf(guide).matchAll(/^```tsx?\n(\/\/ (\S+)\n[\s\S]*?)^```$/gm)].map(([, code = "", name = ""]) => [
    name,
    code,
  ]);

/** Draws what the run of the guide gives, and stops the run after three points. */
const DRAWN = `
  import { renderToStaticMarkup } from "react-dom/server";
  import { Curve } from "./Curve";
  import { type Point, train } from "./train";

  const points: Point[] = [];
  const abort = new AbortController();
  await train((point) => {
    points.push(point);
    if (points.length === 3) abort.abort();
  }, abort.signal);
  console.log(points.map(({ steps }) => steps).join());
  console.log(renderToStaticMarkup(<Curve points={points} />));
`;

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
  for (const [name = "", code = ""] of filesOf("curves-in-a-page")) project.write(name, code);
  project.write("drawn.tsx", DRAWN);
  printed = project.run(...files, "drawn.tsx").map((text) => text.trim().split("\n"));
});
afterAll(() => project.remove());

it("has all guides with code", () => {
  const guides = pages
    .filter((page) => page.startsWith("docs/guides/"))
    .map((page) => path.basename(page, ".md"));
  const coded = guides.filter((guide) => /^```tsx?$/m.test(pageOf(guide)));
  expect(coded.toSorted()).toEqual([...Object.keys(GUIDES), "curves-in-a-page"].sort());
});

it("is accepted by the compiler", async () => {
  expect(await project.complaints()).toBe("");
});

it.each(Object.entries(GUIDES))("%s prints what it says", (guide, checks) => {
  expect(programsOf(guide)).toHaveLength(checks.length);
  const before = Object.keys(GUIDES).slice(0, Object.keys(GUIDES).indexOf(guide));
  const first = before.reduce((count, name) => count + (GUIDES[name]?.length ?? 0), 0);
  for (const [i, check] of checks.entries()) check(printed[first + i] ?? []);
});

it("curves-in-a-page draws a run, and stops it", () => {
  expect(filesOf("curves-in-a-page").map(([name]) => name)).toEqual(["train.ts", "Curve.tsx", "main.tsx"]);
  // The last part is what follows the last program.
  const [steps, drawing] = printed.at(-2) ?? [];
  expect(steps).toBe("2048,4096,6144");
  expect(drawing?.match(/points="([^"]*)"/)?.[1]?.split(" ")).toHaveLength(3);
  expect(drawing).toMatch(/<figcaption>6144 steps, best fitness [\d.]+<\/figcaption>/);
});
