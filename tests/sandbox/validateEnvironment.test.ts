/** What a validation says of masks, and that its random steps keep to them. */
import { describe, expect, it } from "vitest";
import { SandboxedEnvironment } from "../../src/sandbox/environments.ts";
import { inProcess } from "./inside/support/inProcess.ts";
import { MEETING, walk } from "./support/modules.ts";

const STEPS = 200;

async function findingsOf(script: string) {
  const env = await SandboxedEnvironment.open(inProcess, {
    name: "user/test",
    script,
    entrypoint: null,
    options: {},
    num_envs: 1,
  });
  try {
    return (await env.validate({ steps: STEPS, seed: 3 })).findings;
  } finally {
    env.close();
  }
}

/** An environment in which the choice that the step's mask forbids is an error. */
const strict = (action_space: string, mask: string, isLegal: string): string => `
export default () => {
  let steps = 0;
  const mask = () => ${mask};
  return {
    observation_space: { kind: "Box", low: 0, high: 9, shape: [1] },
    action_space: ${action_space},
    reset() {
      steps = 0;
      return { observation: [0], info: { action_mask: mask() } };
    },
    step(action) {
      if (!(${isLegal})) throw new Error("illegal: " + action + " at " + mask());
      steps++;
      return { observation: [steps], reward: 0, terminated: steps === 5, truncated: false, info: { action_mask: mask() } };
    },
  };
};
`;

describe("random steps", () => {
  it.each([
    [
      "Discrete",
      '{ kind: "Discrete", n: 5, start: 2 }',
      "[0, 1, 2, 3, 4].map((i) => i === steps % 5 || i === 4)",
      "mask()[action - 2]",
    ],
    [
      "MultiDiscrete",
      '{ kind: "MultiDiscrete", nvec: [2, 3] }',
      "[steps % 2, 1, 0, 1, steps % 2]",
      "mask()[action[0]] && mask()[2 + action[1]]",
    ],
    [
      "MultiBinary",
      '{ kind: "MultiBinary", n: 3 }',
      "[0, 1, steps % 2]",
      "action.every((bit, i) => bit <= mask()[i])",
    ],
  ])("take legal choices only, of %s actions", async (_kind, space, mask, isLegal) => {
    expect(await findingsOf(strict(space, mask, isLegal))).toEqual([]);
  });

  it("take legal choices only, of several agents", async () => {
    const checked = MEETING.replace(
      "step({ left, right }) {",
      'step({ left, right }) { if (left === this.#at.left) throw new Error("left stays");',
    );
    expect(checked).not.toBe(MEETING);
    expect(await findingsOf(checked)).toEqual([]);
  });
});

describe("a mask", () => {
  it.each([
    ["[1, 1, 1]", "found 3 numbers", "2 numbers"],
    ["0", "found 0", "2 numbers"],
    ['"all"', 'found "all"', "2 numbers"],
    ["{ 0: 1 }", "found a plain object with 0", "2 numbers"],
    ["[1, 0.5]", "found 0.5", "0 or false, 1 or true"],
    ['["yes", "no"]', 'found "yes"', "0 or false, 1 or true"],
    ["new Float32Array(2)", "found no legal choice", "one or more"],
  ])("%s is an error with call, step and what is allowed", async (mask, found, allowed) => {
    const script = walk({
      step: `const info = steps === 2 ? { action_mask: ${mask} } : { action_mask: [true, false] };`,
      given: "info",
    });
    const what = expect.stringMatching(/^user\/test: env\.step\(\) at step 2: /);
    expect(await findingsOf(script)).toMatchObject([
      { level: "error", call: "step", step: 2, found: expect.stringContaining(found), allowed, what },
    ]);
  });

  it("may forbid everything in the last step of an episode, after which nobody chooses", async () => {
    const last = walk({ given: "info: { action_mask: steps === 4 ? [0, 0] : [1, 0] }" });
    expect(await findingsOf(last)).toEqual([]);
    const left = MEETING.replace("place !== left) }", "!(met || late) && place !== left) }")
      .replace("#seen() {", "#seen(met = false, late = false) {")
      .replace("...this.#seen(),", "...this.#seen(met, late),");
    expect(left).not.toBe(MEETING);
    expect(await findingsOf(left)).toEqual([]);
  });

  it("is looked at after every reset and in the last step of an episode", async () => {
    const first = walk({ reset: "{ observation: [0, 0], info: { action_mask: [1] } }" });
    expect(await findingsOf(first)).toMatchObject([{ call: "reset", step: 0, allowed: "2 numbers" }]);
    const later = walk({
      before: "let resets = 0;",
      reset: "{ observation: [0, 0], info: resets++ === 0 ? {} : { action_mask: [0, 0] } }",
    });
    expect(await findingsOf(later)).toMatchObject([{ call: "reset", step: 4, allowed: "one or more" }]);
    const last = walk({ given: "info: { action_mask: steps === 4 ? [0] : [1, 0] }" });
    expect(await findingsOf(last)).toMatchObject([{ call: "step", step: 4, allowed: "2 numbers" }]);
  });

  it("of several agents is told with the agent's name", async () => {
    const wrong = MEETING.replace("[0, 1, 2].map", "[0, 1].map");
    expect(wrong).not.toBe(MEETING);
    expect(await findingsOf(wrong)).toMatchObject([
      { call: "reset", step: 0, found: expect.stringContaining("agent left"), allowed: "3 numbers" },
    ]);
  });

  it("that differs with the same seed and actions is an error", async () => {
    const script = walk({
      before: "let made = 0;",
      fields: "own: made++,",
      step: "",
      given: "info: { action_mask: [1, this.own > 1 ? 0 : 1] }",
    });
    expect(await findingsOf(script)).toMatchObject([
      { call: "step", step: 1, allowed: "the same numbers from the same seed and actions" },
    ]);
  });
});

describe("the seed of a reset", () => {
  /** A walk whose reset runs the statement `begin`, with a generator `draw` in each environment. */
  const drawing = (begin: string) => `
    const generator = (seed) => () => (seed = (seed * 16807 + 11) % 2147483647) / 2147483647;
    export default () => {
      let draw = generator(5);
      let at = 0;
      return {
        observation_space: { kind: "Box", low: -9, high: 9, shape: [1] },
        action_space: { kind: "Discrete", n: 2 },
        reset({ seed } = {}) {
          ${begin};
          at = draw();
          return { observation: [at], info: {} };
        },
        step(action) {
          at += action - draw();
          return { observation: [at], reward: 0, terminated: at < -2 || at > 2, truncated: false, info: {} };
        },
      };
    };`;

  it("decides every random number", async () => {
    expect(await findingsOf(drawing("if (seed !== undefined) draw = generator(seed)"))).toEqual([]);
  });

  it.each([
    ["is ignored by a generator that goes on", "", "error", "same seed"],
    ["is ignored by one that begins anew", "draw = generator(5)", "warning", "reset ignores its seed"],
    [
      "is missing in later episodes",
      "draw = generator(seed ?? 5)",
      "warning",
      "reset without a seed began the same",
    ],
  ])("%s", async (_what, begin, level, what) => {
    const findings = await findingsOf(drawing(begin));
    expect(findings).toMatchObject([{ level, call: "reset", what: expect.stringContaining(what) }]);
  });
});

describe("a saved state", () => {
  /** Sums numbers that a seed begins. */
  const summing = (methods: string) => `export default class {
    observation_space = { kind: "Box", low: -Infinity, high: Infinity };
    action_space = { kind: "Discrete", n: 2 };
    #word = 1;
    #at = 0;
    #steps = 0;
    reset({ seed } = {}) {
      if (seed !== undefined) this.#word = seed;
      [this.#at, this.#steps] = [0, 0];
      return this.#seen();
    }
    step(action) {
      this.#word = (Math.imul(this.#word, 1664525) + 1013904223) >>> 0;
      this.#at += action + this.#word;
      return { ...this.#seen(), reward: 0, terminated: false, truncated: ++this.#steps >= 70 };
    }
    #seen() { return { observation: [this.#at], info: { action_mask: [1, this.#steps % 2] } }; }
    ${methods}
  }`;
  const load = "load(state) { [this.#word, this.#at, this.#steps] = state; }";

  it("goes on in another environment", async () => {
    expect(
      await findingsOf(summing(`save() { return [this.#word, this.#at, this.#steps]; } ${load}`)),
    ).toEqual([]);
  });

  it.each([
    ["throws", `save() { throw new Error("no"); } ${load}`, "save", "threw Error: no"],
    [
      "lacks a part",
      `save() { return [1, this.#at, this.#steps]; } ${load}`,
      "load",
      "load(state) did not go on",
    ],
    ["is not taken", 'save() { return 1; } load() { throw new Error("no"); }', "load", "threw Error: no"],
  ])("that %s is an error", async (_what, methods, call, what) => {
    const findings = await findingsOf(summing(methods));
    expect(findings).toMatchObject([{ level: "error", call, what: expect.stringContaining(what) }]);
  });

  it("needs both methods", async () => {
    await expect(findingsOf(summing("save() { return 1; }"))).rejects.toThrow(
      ": open: load: found undefined, allowed a function",
    );
  });
});
