import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkManifestText, parseManifest } from "../../src/manifests/index.ts";
import { manifestIssues, specErrorOf } from "./issues.ts";

const HEAD = "algorithm: {name: DQN}\nenvironment: {name: CartPole-v1}\n";
const maxSteps = (source: string) =>
  parseManifest(`${HEAD}training: {max_steps: ${source}}`).training.max_steps;

describe("YAML numbers", () => {
  it.each([
    ["1_000_000", 1_000_000],
    ["+1_0", 10],
    ["1000", 1000],
    ["010", 10],
    ["0x10", 16],
    ["64.0", 64],
    ["1e3", 1000],
    ["1_000.0", 1000],
  ])("%s is %i", (source, value) => {
    expect(maxSteps(source)).toBe(value);
  });

  it("with a leading zero are decimal, with a warning that names the place and the other reading", () => {
    const text = `${HEAD}training: {max_steps: 0100, evo_steps: "0100"}\nmutation: {rand_seed: 089}\n`;
    const { translated } = checkManifestText(text.replace('"0100"', "10"));
    expect(translated).toEqual([
      {
        path: "training.max_steps",
        message: "found 0100, which is read as 100; readers of YAML 1.1 take it for 64: write 100",
      },
      {
        path: "mutation.rand_seed",
        message: "found 089, which is read as 89; readers of YAML 1.1 take it for a text: write 89",
      },
    ]);
    const told: string[] = [];
    parseManifest(text.replace('"0100"', "10"), { onTranslated: ({ path }) => told.push(path) });
    expect(told).toEqual(["training.max_steps", "mutation.rand_seed"]);
    // Also beside errors; not for texts, zero, reals and other bases.
    expect(checkManifestText(text)).toMatchObject({
      success: false,
      translated: [{ path: "training.max_steps" }, {}],
    });
    const others = `${HEAD}training: {name: "0100", target_score: 0, learning_delay: 0x10, eps_end: 0.01}\n`;
    expect(checkManifestText(others)).toMatchObject({ success: true, translated: [] });
  });

  it("may be negative, with underscores or an exponent", () => {
    const target = (source: string) =>
      parseManifest(`${HEAD}training: {target_score: ${source}}`).training.target_score;
    expect(target("-1_000")).toBe(-1000);
    expect(target("-1_000.5")).toBe(-1000.5);
    expect(target("1e-4")).toBe(1e-4);
    expect(target("1.0e-4")).toBe(1e-4);
  });

  it.each(["no", "1:30", '"1_000"', "_1", "1__0", "1_", ".inf", "99999999999999999999"])(
    "%s is none",
    (source) => {
      expect(manifestIssues(`${HEAD}training: {max_steps: ${source}}`)).toMatchObject([
        { path: "training.max_steps" },
      ]);
    },
  );

  it("reads any integer as Python's reader does", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 40 }), (value) => {
        expect(maxSteps(value.toLocaleString("en-US").replaceAll(",", "_"))).toBe(value);
      }),
    );
  });

  it("leaves words that YAML 1.1 took for booleans, in names and in errors", () => {
    expect(parseManifest(`${HEAD}training: {name: no}`).training.name).toBe("no");
    expect(manifestIssues(`${HEAD}training: {hpo: yes}`)[0]?.message).toBe(
      'expected true or false or "search", found "yes"',
    );
    expect(parseManifest(`${HEAD}training: {name: 1:30}`).training.name).toBe("1:30");
  });
});

describe("positions", () => {
  const at = (text: string) => manifestIssues(text).map(({ path, line, column }) => [path, line, column]);

  it("are those of the value, or of the key when the key is wrong or something is missing", () => {
    const text = [
      "algorithm:",
      "  name: DQN",
      "  lr: -1",
      "environment:",
      "  num_envs: 4",
      "training:",
      "  population_size: 0 # none",
      "  max_stpes: 5",
      "selection_strategy:",
      "  strategy: multi_frequency",
      "  evolution_frequency_ratios:",
      "    - 0",
      "    - 1",
    ].join("\n");
    expect(at(text)).toEqual(
      expect.arrayContaining([
        ["algorithm.lr", 3, 7],
        ["environment.name", 4, 1],
        ["selection_strategy.evolution_frequency_ratios[0]", 12, 7],
        ["training.max_stpes", 8, 3],
        ["training.population_size", 7, 20],
      ]),
    );
    expect(at(text)).toHaveLength(5);
  });

  it("are found for checks between sections and for moved keys", () => {
    expect(at(`${HEAD}training:\n  max_steps: 5\n  evo_steps: 6\n`)).toEqual([["training.evo_steps", 5, 14]]);
    expect(at(`${HEAD}mutation:\n  rl_hp_selection:\n    lrr: {min: 0, max: 1}\n`)).toEqual([
      ["mutation.rl_hp_selection.lrr", 5, 5],
    ]);
    expect(at(`${HEAD}network:\n  arch: cnm\n  encoder_config: {}\n`)).toContainEqual([
      "network.encoder_config.arch",
      5,
      3,
    ]);
  });

  it("are given for JSON too, indented by tabs or not at all", () => {
    const json = (indent: string) =>
      JSON.stringify({ algorithm: { name: "DQN", tau: "x" }, environment: { name: "A" } }, null, indent);
    expect(at(json("\t"))).toEqual([["algorithm.tau", 4, 10]]);
    expect(at(json("  "))).toEqual([["algorithm.tau", 4, 12]]);
    expect(at(json(""))).toEqual([["algorithm.tau", 1, 34]]);
  });

  it("stand in the error's message", () => {
    const error = specErrorOf(() => parseManifest(`${HEAD}training: {max_steps: 0}`));
    expect(error.message).toBe(
      "Invalid manifest: training.max_steps: found 0; must be at least 1 (line 3, column 23)",
    );
  });
});

describe("text that is no manifest", () => {
  it.each([
    ["a: [1", 1],
    ["algorithm: {name: DQN}\nalgorithm: {name: PPO}", 2],
    ["a: b: c", 1],
    ["---\na: 1\n---\nb: 2", 3],
    ["training:\n\tmax_steps: 5", 2],
    ["a: &x {b: *x}\nc: *y", 2],
  ])("%j has a syntax error on line %i", (text, line) => {
    expect(manifestIssues(text)).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: "syntax", path: "", line })]),
    );
  });

  it.each([
    ['{"algorithm": {"name": "DQN"}\n "training": {}}', "Missing , between members of an object", 2, 2],
    ['{\n  "a": true\n  "b": 3\n}', "Missing ,", 2, 8],
    ['{"a": 1', "Object must end with a }", 1, 8],
    ["[1, 2", "Array must end with a ]", 1, 6],
    ['{"a": {"b": 1]}', "Object must end with a }", 1, 14],
    ['{"a": 1}}', "Unexpected }", 1, 9],
    ['{"a": "x}', 'Missing closing "', 1, 10],
    ['{"a": 1,\n"a": 2}', "Keys of an object must be unique", 2, 1],
  ])("%j is not valid JSON", (text, complaint, line, column) => {
    const message = `not valid JSON: ${complaint}`;
    expect(manifestIssues(text)).toEqual([{ code: "syntax", path: "", segments: [], message, line, column }]);
  });

  it.each([
    ["lr", 3],
    ["name", 2],
    ["environment", 6],
  ])("a colon that is missing after %s is one error, at its line", (key, line) => {
    const text =
      "algorithm:\n  name: PPO\n  lr: 0.001\n  gamma: 0.99\n  clip_coef: 0.2\nenvironment:\n  num_envs: 4\n  name: CartPole-v1\n";
    const issues = manifestIssues(text.replace(`${key}:`, key));
    expect(issues).toMatchObject([{ code: "syntax", path: "", line }]);
    expect(issues[0]?.message).toBe('not valid YAML: a key on this line has no ":" after it');
  });

  it.each([
    "algorithm:\n  name: DQN\n  lr: 1e-3: 2\nenvironment: [\n  name: 1\ntraining: }\n",
    "algorithm: {name: DQN\nenvironment:\n  name: x\n",
  ])("%j says the first problem alone until it can be parsed", (text) => {
    expect(manifestIssues(text)).toHaveLength(1);
  });

  it("names each repeated key, which hides no other error", () => {
    expect(manifestIssues("a: 1\na: 2\nb: 3\nb: 4")).toMatchObject([{ line: 2 }, { line: 4 }]);
  });

  it("speaks of the format that its file's name says", () => {
    const complaintOf = (text: string, name: string) =>
      specErrorOf(() => parseManifest(text, { name })).issues[0]?.message.split(":")[0];
    expect(complaintOf("a: [1", "run.json")).toBe("not valid JSON");
    expect(complaintOf("a: [1", "run.yaml")).toBe("not valid YAML");
    expect(complaintOf('{"a": [1', "run.yaml")).toBe("not valid JSON");
  });

  it.each(["hello", "", "- a\n- b", "# only a comment"])("%j has no sections", (text) => {
    expect(manifestIssues(text)).toMatchObject([{ path: "", code: "type", line: 1 }]);
  });

  it("that contains itself is refused where it does", () => {
    expect(manifestIssues(`${HEAD}training: &self {max_steps: *self}`)).toMatchObject([
      {
        path: "training.max_steps",
        message: expect.stringMatching(/nested more than 100 levels .* contain itself\?$/),
        line: 3,
      },
    ]);
  });

  it("that expands without bound is refused, not expanded", () => {
    const lol = Array.from(
      { length: 12 },
      (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(", ")}]`,
    );
    expect(manifestIssues(["a0: &a0 x", ...lol].join("\n"))).toMatchObject([{ code: "syntax" }]);
  });

  it("never makes the check throw", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab: -[]{}&*!|>#'\"\n\t1_,?%@".split("")) }),
        (text) => {
          expect(checkManifestText(text).success).toBe(false);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe("anchors", () => {
  it("and merge keys are followed", () => {
    const text = `${HEAD}mutation:\n  rl_hp_selection:\n    lr: &range {min: 0.1, max: 1}\n    tau: {<<: *range, max: 0.5}`;
    expect(parseManifest(text).mutation?.rl_hp_selection.tau).toMatchObject({ min: 0.1, max: 0.5 });
  });
});
