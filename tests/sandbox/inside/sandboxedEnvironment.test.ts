/** Lanes of a module's environment behind a port: the numbers of the thread, and what is said of modules that are wrong. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { resetLanes, stepLanes } from "../../../src/agents/members.ts";
import { SyncVectorEnvironment } from "../../../src/rl/faces.ts";
import { exportOf, makeEnvironment, SandboxedEnvironment } from "../../../src/sandbox/environments.ts";
import { type SandboxedOptions } from "../../../src/sandbox/SandboxedEnvironment.ts";
import type { OpenSandbox } from "../../../src/sandbox/sandboxes.ts";
import { CART_POLE, MEETING, walk } from "../support/modules.ts";
import { fromText, inProcess } from "./support/inProcess.ts";

const NAME = "user/test";

const opened = (script: string, options: Partial<SandboxedOptions> = {}) =>
  SandboxedEnvironment.open(inProcess, {
    name: NAME,
    script,
    entrypoint: null,
    options: {},
    num_envs: 2,
    ...options,
  });

/** What a module's first steps say when something is wrong with them. */
async function said(script: string, steps = 3): Promise<string> {
  let env: SandboxedEnvironment | null = null;
  try {
    env = await opened(script);
    await resetLanes(env, { seed: 1 });
    for (let i = 0; i < steps; i++) await stepLanes(env, [0, 1]);
    return "nothing";
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  } finally {
    env?.close();
  }
}

describe.each([
  ["of one agent", CART_POLE, [1, 0]],
  ["of several agents", MEETING, [1, 0, 2, 2]],
])("an environment %s", (_kind, script, actions) => {
  const both: { sandbox?: SandboxedEnvironment; thread?: SyncVectorEnvironment } = {};
  beforeAll(async () => {
    const create = exportOf(await fromText(script), null, NAME);
    const make = () => makeEnvironment(create, {}, { name: NAME, max_episode_steps: null });
    both.thread = new SyncVectorEnvironment([make, make]);
    both.sandbox = await opened(script);
  });
  afterAll(() => both.sandbox?.close());

  it("gives the numbers that it gives in the thread", async () => {
    const { sandbox, thread } = both;
    if (!sandbox || !thread) throw new Error("not opened");
    expect(sandbox.single_observation_space).toEqual(thread.single_observation_space);
    expect(sandbox.single_action_space).toEqual(thread.single_action_space);
    const { observation } = await resetLanes(sandbox, { seed: 5 });
    expect(observation).toEqual(thread.reset({ seed: 5 }).observation);
    for (let i = 0; i < 60; i++) {
      const { info: _info, final_info: _final, ...rows } = await stepLanes(sandbox, actions);
      expect(thread.step(actions)).toMatchObject(rows);
    }
  });
});

describe("a module that is wrong", () => {
  it.each([
    ["does not parse", "export default class {", /user\/test: module: threw SyntaxError: /],
    ["throws as it is loaded", 'throw new Error("no luck");', /user\/test: module: threw Error: no luck/],
    [
      "exports nothing",
      "const env = 1;",
      /default export: found nothing \(it exports nothing\), allowed a class/,
    ],
    [
      "exports something else",
      "export default { reset() {} };",
      /default export: found a plain object with reset \(it exports default\), allowed a class/,
    ],
    [
      "throws as it is made",
      "export default () => { throw new TypeError('no world'); };",
      /user\/test: open: threw TypeError: no world/,
    ],
    ["makes nothing", "export default () => null;", /user\/test: open: found null, allowed an environment/],
    [
      "makes a promise",
      "export default async () => ({});",
      /user\/test: open: found a promise, allowed an environment/,
    ],
    [
      "has no observation space",
      walk({ fields: "observation_space: undefined," }),
      /open: observation_space: found nothing, allowed a space: \{ kind: "Box"/,
    ],
    [
      "has a space of no kind",
      walk({ fields: 'action_space: { kind: "Discreet", n: 2 },' }),
      /open: action_space.kind: found "Discreet", allowed Box, Discrete, .*; write \{ kind/,
    ],
    [
      "has a space without bounds",
      walk({ fields: 'observation_space: { kind: "Box", shape: [2] },' }),
      /open: observation_space.low: found nothing, allowed a number or a list of numbers/,
    ],
    ["has no step", walk({ fields: "step: 3," }), /open: step: found number, allowed a function/],
    [
      "has a getter that throws",
      walk({ fields: 'get action_space() { throw new Error("hidden"); },' }),
      /user\/test: open: hidden/,
    ],
    [
      "throws in a reset",
      walk({ reset: "(() => { throw new Error('cold'); })()" }),
      /env\.reset\(\) of lane 0: threw Error: cold/,
    ],
    [
      "throws in a step",
      walk({ step: "if (steps === 2) throw new Error('trip');" }),
      /user\/test: env\.step\(\) of lane 0, step 2: threw Error: trip/,
    ],
    [
      "throws what is no error",
      walk({ step: "throw { get message() { throw 1; } };" }),
      /env\.step\(\) of lane 0, step 1: threw a plain object with message/,
    ],
    [
      "gives too few numbers",
      walk({ given: "observation: [0.5]" }),
      /lane 0, step 1: observation: found 1 number, allowed 2 finite numbers/,
    ],
    [
      "gives a huge array",
      walk({ given: "observation: new Float64Array(1e7)" }),
      /lane 0, step 1: observation: found 10000000 numbers, allowed 2 finite numbers/,
    ],
    [
      "gives NaN",
      walk({ given: "observation: [0, NaN]" }),
      /lane 0, step 1: observation\[1\]: found NaN, allowed/,
    ],
    ["gives NaN as reward", walk({ given: "reward: NaN" }), /step 1: reward: found NaN, allowed a finite/],
    [
      "gives no end",
      walk({ given: "terminated: undefined" }),
      /step 1: terminated: found nothing, allowed true/,
    ],
    [
      "gives numbers that change when they are read again",
      walk({
        step: "let reads = 0; const sly = [0, 0]; Object.defineProperty(sly, 1, { get: () => (reads++ === 0 ? 0.5 : NaN) });",
        given: "observation: sly",
      }),
      /user\/test: env\.step\(\) 1: observation\[1\] of lane 0: found NaN, allowed/,
    ],
  ])("that %s is refused by name", async (_fault, script, message) => {
    expect(await said(script)).toMatch(message);
  });
});

interface Forged {
  readonly id: number;
  readonly result: Record<string, unknown>;
}

/** A sandbox whose steps are answered by a module that took the place of the host's program. */
const forging = (forge: (reply: Forged) => unknown): OpenSandbox => {
  return async () => {
    const port = await inProcess();
    let steps = 0;
    return {
      ...port,
      post: (message, transfer) => {
        if ((message as { readonly call: string }).call === "step") steps++;
        port.post(message, transfer);
      },
      listen: (onMessage, onEnd) =>
        port.listen((reply) => {
          // The host's own answers have these fields.
          const own = reply as Forged;
          onMessage(steps > 0 ? forge(own) : own);
        }, onEnd),
    };
  };
};

describe("an answer that a module forged", () => {
  it.each([
    ["is none", () => "hello", /SandboxLostError: user\/test: step: found an invalid reply/],
    [
      "was not asked for",
      (reply: object) => ({ ...reply, id: 99 }),
      /SandboxLostError: user\/test: step: found an unexpected reply/,
    ],
    [
      "has other types",
      ({ id, result }: Forged) => ({ id, ok: true, result: { ...result, reward: [1, 1] } }),
      /SandboxLostError: user\/test: step: found an invalid reply: reward is not a Float32Array/,
    ],
    [
      "has other lengths",
      ({ id, result }: Forged) => ({ id, ok: true, result: { ...result, reward: new Float32Array(3) } }),
      /EnvironmentError: user\/test: env\.step\(\) 1: reward: found a Float32Array of 3, allowed 2 values/,
    ],
    [
      "has other numbers",
      ({ id, result }: Forged) => ({ id, ok: true, result: { ...result, truncated: Uint8Array.of(0, 7) } }),
      /EnvironmentError: user\/test: env\.step\(\) 1: truncated of lane 1: found 7, allowed 0 and 1/,
    ],
  ])("and that %s is refused", async (_kind, forge, message) => {
    const env = await SandboxedEnvironment.open(forging(forge), {
      name: NAME,
      script: CART_POLE,
      entrypoint: null,
      options: {},
      num_envs: 2,
    });
    await resetLanes(env, { seed: 1 });
    const error = await Promise.resolve(stepLanes(env, [0, 1])).catch((thrown: unknown) => thrown);
    expect(String(error)).toMatch(message);
    env.close();
  });
});
