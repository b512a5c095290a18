/** JavaScript modules that a manifest names: rubrics, environments, and what reads observations. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TimeoutError } from "../../../src/evolution/members.ts";
import { RolloutHarness, requireSupported } from "../../../src/llm/environments.ts";
import { UserModules } from "../../../src/llm/modules.ts";
import type { RolloutEnvSpecInput } from "../../../src/manifests/index.ts";
import { RolloutEnvSpec } from "../../../src/specs/sections.ts";
import { loadModules } from "../../../src/workers/computing.ts";
import { testTokenizer } from "../support/testTokenizer.ts";

const MODULE = `
export const score = async (completion, answer, row) => ({ right: completion === answer ? 1 : 0, long: row.question.length });
export const endless = () => { for (;;); };
export const silent = () => new Promise(() => undefined);
export const broken = () => { throw new Error("no such answer"); };
export const read = ({ cell }) => "at " + cell;
export const limit = 3;
export class Walk {
  constructor({ start = 0 }) { this.start = start; this.dataset_size = 5; this.num_epochs = 0; }
  setEvaluation(on) { this.on = on; }
  reset(seed, { row_index }) {
    this.cell = this.start;
    this.num_epochs++;
    return [{ cell: "" + this.cell + seed + row_index + (this.on ? "!" : "") }, {}];
  }
  step(text) {
    if (text === "x") for (;;);
    if (text === "y") throw new Error("off the board");
    this.cell += text.length;
    return [{ cell: this.cell }, this.cell, this.cell > 3, false, { text }];
  }
}
export const makeWalk = (entrypoint, config) => new Walk({ start: config.start + entrypoint.length });
export const notOne = () => 3;
export default { reset: () => ["plain", {}], step: () => ["", 1, true, false, {}] };
`;

const tokenizer = testTokenizer();
const rows = [{ question: "1+1", answer: "2" }];
let folder = "";
let file = "";
let modules: UserModules;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "rlkit-modules-"));
  file = path.join(folder, "mine.mjs");
  await writeFile(file, MODULE);
  await writeFile(path.join(folder, "torn.mjs"), "export const = 3;");
  modules = await UserModules.of({ deadline_s: 60 });
});
afterAll(async () => {
  modules.close();
  await rm(folder, { recursive: true });
});

const spec = (input: Omit<RolloutEnvSpecInput, "env_type">) =>
  RolloutEnvSpec.parse({ env_type: "rollout", ...input });
const rubric = (name: string) =>
  spec({
    dataset: "sums.jsonl",
    rubric_file_path: file,
    rubric_name: name,
    train_test_split: 1,
    prompt_template: { user_0: "{question}" },
  });
const harnessOf = (given: ReturnType<typeof spec>, own = modules) =>
  RolloutHarness.fromSpec(given, {
    tokenizer,
    modules: own,
    readText: () => rows.map((row) => JSON.stringify(row)).join("\n"),
  });

/** Plays a turn with a text. */
async function turn(harness: RolloutHarness, ids: Int32Array, text: string) {
  return harness.step([...ids, ...tokenizer.encode(text)]);
}

async function scored(name: string, text: string, own = modules) {
  const harness = await harnessOf(rubric(name), own);
  const [{ input_ids }] = await harness.reset({ row_index: 0 });
  return turn(harness, input_ids, text);
}

describe("a rubric of a module", () => {
  it("rewards completions by the row, in a sandbox of its own", async () => {
    const [, reward, , , info] = await scored("score", "2");
    expect([reward, info]).toEqual([4, { reward_components: { right: 1, long: 3 } }]);
  });

  it.each([
    [
      "broken",
      /step of turn 1: threw: rubric, row \{"question":"1\+1","answer":"2"\}: module .*mine.mjs: broken: no such answer/,
    ],
    ["nowhere", /module .*mine.mjs: nowhere: its export nowhere is missing, allowed a function; it exports/],
    ["limit", /its export limit is number, allowed a function/],
  ])("that fails is named with its turn: %s", async (name, message) => {
    await expect(scored(name, "2")).rejects.toThrow(message);
  });

  it("that imports is refused, unless the caller has imported it", async () => {
    const place = path.join(folder, "importing.mjs");
    await writeFile(place, 'import { sep } from "node:path"; export const score = () => sep.length;');
    const given = { ...rubric("score"), rubric_file_path: place };
    await expect(harnessOf(given)).rejects.toThrow(
      /module .*importing.mjs: loading it: found import of "node:path" in line 1, .* give it as --module .*importing.mjs too/,
    );
    await loadModules([pathToFileURL(place).href]);
    const own = await UserModules.of({ deadline_s: 60 });
    const harness = await harnessOf(given, own);
    const [{ input_ids }] = await harness.reset({ row_index: 0 });
    expect((await turn(harness, input_ids, "2"))[1]).toBe(1);
  });

  it("that is silent is named at once, because nothing is left to wait for", async () => {
    await expect(scored("silent", "2")).rejects.toThrow(
      /step of turn 1: threw: rubric, row .*: module .*: silent: its promise does not settle/,
    );
  });

  it("that is endless ends with its sandbox at the deadline", async () => {
    const own = await UserModules.of({ deadline_s: 5 });
    const fault = scored("endless", "2", own);
    await expect(fault).rejects.toThrow(TimeoutError);
    await expect(fault).rejects.toThrow(
      /step of turn 1: rubric, row .*: module .*: endless: found no answer within 5 s, allowed calls that return in time/,
    );
    // Nothing of it answers any more.
    await expect(own.at(file).call("score", ["2", "2", rows[0]])).rejects.toThrow(TimeoutError);
  });
});

describe("an environment of a module", () => {
  const walk = {
    entrypoint: `${"FILE"}:Walk`,
    env_config: { start: 1 },
    max_turns: 3,
    observation_processor: "FILE:read",
  };
  const placed = (input: Omit<RolloutEnvSpecInput, "env_type">) =>
    // The file is made before the tests run.
    spec(JSON.parse(JSON.stringify(input).replaceAll("FILE", file)) as never);

  it("plays turns, and has rows and epochs of its own", async () => {
    const harness = await harnessOf(placed(walk));
    expect([harness.dataset_size, harness.num_epochs]).toEqual([5, 0]);
    harness.setEvaluation(true);
    const [first] = await harness.reset({ seed: 7, row_index: 2 });
    expect(tokenizer.decode(first.input_ids)).toBe("at 172!");
    expect(harness.num_epochs).toBe(1);
    const [second, reward] = await turn(harness, first.input_ids, "ab");
    expect([tokenizer.decode(second.input_ids), reward]).toEqual(["at 172!abat 3", 3]);
    const last = await turn(harness, second.input_ids, "c");
    expect(last.slice(1)).toEqual([4, true, false, { text: "c" }]);
    await harness.close();
  });

  it("has a state for each trajectory", async () => {
    const make = await RolloutHarness.factoryFromSpec(placed(walk), { tokenizer, modules });
    const played = await Promise.all(
      [1, 2, 3].map(async (length) => {
        const harness = make();
        const [{ input_ids }] = await harness.reset({ seed: 0, row_index: 0 });
        return (await turn(harness, input_ids, "a".repeat(length)))[1];
      }),
    );
    expect(played).toEqual([2, 3, 4]);
  });

  it("comes from a factory, or is an object", async () => {
    const made = await harnessOf(placed({ ...walk, entrypoint: "four", factory: "FILE:makeWalk" }));
    const [prompt] = await made.reset({ seed: 0, row_index: 0 });
    expect(tokenizer.decode(prompt.input_ids)).toBe("at 500");
    const plain = await harnessOf(placed({ entrypoint: "FILE", max_turns: 1 }));
    expect(tokenizer.decode((await plain.reset())[0].input_ids)).toBe("plain");
  });

  it("that fails is named with call and turn", async () => {
    const harness = await harnessOf(placed(walk));
    const [{ input_ids }] = await harness.reset({ seed: 0, row_index: 0 });
    await expect(turn(harness, input_ids, "y")).rejects.toThrow(
      /environment ".*mine.mjs:Walk", step of turn 1: threw: module .*: step: off the board/,
    );
    const own = await UserModules.of({ deadline_s: 5 });
    const looping = await harnessOf(placed(walk), own);
    const [prompt] = await looping.reset({ seed: 0, row_index: 0 });
    await expect(turn(looping, prompt.input_ids, "x")).rejects.toThrow(TimeoutError);
  });

  it.each([
    ["FILE:notOne", /its export notOne returned number, allowed an object/],
    ["FILE:Nowhere", /its export Nowhere is missing/],
    ["torn.mjs", /module .*torn.mjs: loading it: /],
    ["nowhere.mjs", /module .*nowhere.mjs: loading it: .*no such file/],
  ])("that cannot be made fails before the first rollout: %s", async (entrypoint, message) => {
    const named = entrypoint.includes("FILE") ? entrypoint : path.join(folder, entrypoint);
    await expect(harnessOf(placed({ entrypoint: named }))).rejects.toThrow(message);
  });

  it("is refused in a page by name, as a rubric is", () => {
    expect(() => requireSupported(placed(walk), false)).toThrow(
      /environment.entrypoint: found ".*mine.mjs:Walk"; a page cannot run modules that a manifest names; train with `rlkit train`/,
    );
    expect(() => requireSupported(rubric("score"), false)).toThrow(
      /environment.rubric_file_path: found ".*mine.mjs"; a page cannot run modules/,
    );
    expect(() => requireSupported(placed(walk), true)).not.toThrow();
  });
});
