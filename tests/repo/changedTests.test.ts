/** Which tests `npm test -- --changed` takes for a change. */
import { describe, expect, it } from "vitest";
import { changedTests } from "../../scripts/lib/changedTests.mjs";
import { distances, usersOf } from "../../scripts/lib/importGraph.mjs";

/** Files that name one another: a process by its path, a folder of fixtures, a type. */
const FILES: Readonly<Record<string, string>> = {
  "src/a/one.ts": "",
  "src/a/door.ts": `export * from "./one.ts";`,
  "src/node/main.ts": `// "../a/one.ts"\nimport { one } from "../a/door.ts";`,
  "src/b/types.ts": `import type { One } from "../a/one.ts";`,
  "src/b/later.ts": `const load = () => import("#node/node/main");`,
  "tests/process.test.ts": `spawn("src/node/main.ts");`,
  "tests/files/kept.json": "",
  "tests/kept.test.ts": "const text = read(`./files/$" + "{name}.json`);",
};

describe("what a change reaches", () => {
  const users = usersOf(Object.keys(FILES), (file) => FILES[file] ?? "");
  const reached = (file: string) => Object.fromEntries([...distances([file], users)].slice(1));

  it("follows imports, loads on demand and names of files, but neither types nor comments", () => {
    expect(reached("src/a/one.ts")).toEqual({
      "src/a/door.ts": 1,
      "src/node/main.ts": 2,
      "src/b/later.ts": 3,
      "tests/process.test.ts": 3,
    });
  });

  it("takes a file that is no code as read by what names its folder", () => {
    expect(reached("tests/files/kept.json")).toMatchObject({ "tests/kept.test.ts": 1 });
  });
});

describe("the tests of a change", () => {
  it("are those of its own room that name it, first", () => {
    const { chosen, reached } = changedTests(["src/rl/algorithms/PPO.ts"]);
    expect(chosen.slice(0, 8)).toContain("tests/rl/inside/algorithms/ppoLoss.test.ts");
    expect(chosen.slice(0, 20).every((file) => file.startsWith("tests/rl/"))).toBe(true);
    expect(chosen.length).toBeLessThan(reached);
  });

  it("are those that read a manifest or a recorded shader", () => {
    const of = (file: string) => changedTests([file]).chosen;
    expect(of("examples/manifests/ppo-cartpole.yaml")).toContain("tests/cli/examples.test.ts");
    expect(of("tests/kernels/wgsl/kernels/layer.wgsl")).toContain(
      "tests/kernels/wgsl/recordedKernels.test.ts",
    );
  });
});
