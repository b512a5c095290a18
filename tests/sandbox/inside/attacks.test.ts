/** Modules that try to leave their sandbox: each attempt fails, and for the reason that it is meant to fail for. */
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { EnvironmentError } from "../../../src/rl/faces.ts";
import { SandboxedEnvironment } from "../../../src/sandbox/environments.ts";
import { SandboxedModule } from "../../../src/sandbox/modules.ts";
import { childProgram } from "../../../src/sandbox/node/childProgram.ts";
import { confinement } from "../../../src/sandbox/node/nodeSandbox.ts";
import { startChild } from "../../../src/sandbox/node/startChild.ts";
import { SandboxLostError, SandboxTimeoutError } from "../../../src/sandbox/SandboxPort.ts";
import type { OpenSandbox } from "../../../src/sandbox/sandboxes.ts";
import { ANSWERS, ATTACKS, type Attack, HELPERS } from "../support/attacks.ts";
import { walk } from "../support/modules.ts";

// One of the attacks prints thousands of lines.
beforeEach(() => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
});

const confined: OpenSandbox = async () => startChild(childProgram(), await confinement());
/** Where the system has no namespaces. */
const bare: OpenSandbox = () => startChild(childProgram(), []);

const moduleOf = (script: string, open: OpenSandbox = confined, timeout_s = 60) =>
  new SandboxedModule(open, { name: "evil.mjs", script, timeout_s });

const environmentOf = (script: string, timeout_s = 60) =>
  SandboxedEnvironment.open(confined, {
    name: "user/evil",
    script,
    entrypoint: null,
    options: {},
    num_envs: 1,
    timeout_s,
  });

const settled = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** What an attack was told, without the place that messages begin with. */
const toldBy = (error: unknown): string =>
  (error instanceof Error ? error.message : String(JSON.stringify(error) ?? error))
    .replace(/^module evil\.mjs: \w+: /, "")
    .replace(/^user\/evil: env\.step\(\) of lane 0, step \d+: threw (Error: )?/, "")
    .replace(/^"(.*)"$/s, "$1");

const functions = (attacks: readonly Attack[]): string =>
  HELPERS +
  attacks.map(([, body], i) => `export const attack${i} = async (...given) => { ${body} };`).join("\n");

describe.each([
  ["with namespaces, where the system has them", confined],
  ["without namespaces", bare],
])("a function of a module, %s", (_, open) => {
  const all = [...ATTACKS, ...ANSWERS];
  const module = moduleOf(functions(all), open);
  afterAll(() => module.close());

  it.each(all.map(([name, , told], i) => [name, i, told] as const))(
    "fails with %s",
    async (_name, i, told) => {
      const answer = toldBy(await settled(module.call(`attack${i}`, [{ list: [1] }])));
      expect(answer).not.toContain("FOREIGN");
      expect(answer).toMatch(told);
    },
  );
});

describe("an environment", () => {
  const steps = ATTACKS.map(([, body]) => `(...given) => { ${body} }`).join(",\n");
  const env = environmentOf(
    walk({
      before: `${HELPERS} const attacks = [${steps}];`,
      fields: `action_space: { kind: "Discrete", n: ${ATTACKS.length} },`,
    }).replace("step() {", "step(action, ...rest) { throw new Error(attacks[action](action, ...rest));"),
  );
  afterAll(async () => (await env).close());

  it.each(ATTACKS.map(([name, , told], i) => [name, i, told] as const))(
    "fails with %s",
    async (_name, i, told) => {
      const answer = toldBy(await settled((await env).step([i])));
      expect(answer).not.toContain("FOREIGN");
      expect(answer).toMatch(told);
    },
  );
});

describe("an import", () => {
  it.each([
    ["a function's", "export const score = () => import('node:fs');"],
    ["one with a comment", "export const score = () => import/**/('node:fs');"],
    ["one with an escape", String.raw`export const score = () => im\u0070ort('node:fs');`],
    ["one in a template", "export const score = () => `${import('node:fs')}`;"],
    ["one in two parts", "export const score = () => impimportort('node:fs');"],
    ["the module's own address", "export const score = () => import.meta.url;"],
    ["a declaration", "import fs from 'node:fs'; export const score = () => fs;"],
    ["a re-export", "export * from 'node:fs'; export const score = () => 1;"],
    ["one of the program beside it", "export { take } from 'rlkit'; export const score = () => 1;"],
  ])("fails: %s", async (_, script) => {
    const module = moduleOf(script);
    expect(toldBy(await settled(module.call("score", [])))).toMatch(
      /it has an import, but sandboxed modules cannot import|impor\\u0074ort is not defined|impimportort is not defined/,
    );
    module.close();
  });

  it("as a part of names and texts means nothing", async () => {
    const module = moduleOf(
      "// an import\nconst important = { import: `import`, text: 'import', is: /^import$/.test('import') };\nexport const score = () => important;",
    );
    expect(await module.call("score", [])).toEqual({ import: "import", text: "import", is: true });
    module.close();
  });
});

describe("a call without end", () => {
  it.each([
    ["in a getter of its result", walk({ given: "get info() { for (;;); }" })],
    ["in a microtask", walk({ step: "(async () => { for (;;) await null; })();" })],
    [
      "in a patched function that the program uses",
      walk({
        step: "Array.from = () => { for (;;); }; Object.entries = Array.from; JSON.stringify = Array.from;",
      }),
    ],
  ])("ends at the deadline: %s", async (_, script) => {
    const env = await environmentOf(script, 3);
    await env.reset({ seed: 1 });
    expect(await settled(env.step([0]))).toBeInstanceOf(SandboxTimeoutError);
  });
});

describe("a flood", () => {
  it.each([
    ["of text", "let text = 'x'; for (;;) text += text;", /Invalid string length/],
    [
      "of text in a list",
      // Reading a character has the text written out in one piece, which otherwise refers to its parts.
      "const all = [], part = 'abcdefgh'.repeat(1e6); for (let i = 0; ; i++) { const text = part + i; text.charCodeAt(0); all.push(text); }",
      /its process ran out of memory/,
    ],
  ])("%s ends in the sandbox", async (_, body, told) => {
    const module = moduleOf(`export const score = () => { ${body} };`);
    expect(String(await settled(module.call("score", [])))).toMatch(told);
    module.close();
  });
});

/** A module that takes the place of the program that answers for it, in its own realm. */
const forging = (text: string): string => `
const { parse } = JSON;
let id = 0;
JSON.parse = (...given) => {
  const request = parse(...given);
  id = request.id;
  return request;
};
JSON.stringify = () => ${text};
${walk({})}
`;

const openReply = (space: string): string =>
  `'{"id":' + id + ',"ok":true,"result":{"max_episode_steps":null,"renders":false,"spaces":{"observation":' + ${JSON.stringify(space)} + ',"action":{"kind":"Discrete","n":2,"start":0}}}}'`;

describe("a forged reply", () => {
  it.each([
    ["no text", "({})", /user\/evil: open: its reply is invalid/],
    ["no JSON", "'{'", /one of its messages could not be read/],
    ["null", "'null'", /found an invalid reply/],
    ["another id", `'{"id":99,"ok":true,"result":{}}'`, /found an unexpected reply/],
    [
      "depth",
      "'['.repeat(1e6) + ']'.repeat(1e6)",
      /one of its messages could not be read|found an invalid reply/,
    ],
    ["elements that are not there", `'{"a":{"$array":"Float32Array","length":1e9}}'`, /could not be read/],
    ["a negative number of elements", `'{"a":{"$array":"Float32Array","length":-1}}'`, /could not be read/],
    ["no elements", `'{"a":{"$array":"Float32Array","length":{}}}'`, /could not be read/],
    ["an error that is none", `'{"id":' + id + ',"ok":false,"error":null}'`, /found an invalid reply/],
    ["a space of no kind", openReply("null"), /invalid reply: spaces.observation/],
    [
      "a space without bounds",
      openReply('{"kind":"Box","shape":[2],"dtype":"float32"}'),
      /spaces.observation/,
    ],
    [
      "a space of NaN",
      openReply('{"kind":"Box","low":[{"$number":"NaN"}],"high":[1],"shape":[1],"dtype":"float32"}'),
      /spaces.observation/,
    ],
    [
      "a space of too many numbers",
      openReply('{"kind":"Box","low":[0],"high":[1],"shape":[1000000,1000000],"dtype":"float32"}'),
      /spaces.observation has another number of bounds/,
    ],
    [
      "a space of too many choices",
      openReply('{"kind":"Discrete","n":9007199254740991,"start":0}'),
      /spaces.observation/,
    ],
    [
      "a space of no agents",
      openReply('{"kind":"Agents","spaces":{}}'),
      /spaces.observation Agents: found no space/,
    ],
    [
      "spaces in spaces",
      openReply(
        '{"kind":"Dict","spaces":{"a":{"kind":"Dict","spaces":{"b":{"kind":"Discrete","n":2,"start":0}}}}}',
      ),
      /spaces.observation/,
    ],
    [
      "a space that inherits",
      openReply('{"kind":"Dict","spaces":{"__proto__":{"kind":"Discrete","n":2,"start":0}}}'),
      /spaces.observation/,
    ],
  ])("with %s is refused with an error of rlkit's", async (_, text, told) => {
    const error = await settled(environmentOf(forging(text)));
    expect(error instanceof SandboxLostError || error instanceof EnvironmentError).toBe(true);
    expect(String(error)).toMatch(told);
  });

  it("with something else than bytes is refused", async () => {
    const env = await environmentOf(
      walk({
        before: "const View = Uint8Array; let forges = false;",
        step: "forges = true; globalThis.Uint8Array = function (...given) { return forges && typeof given[0] === 'number' ? { set() {}, buffer: new Proxy({}, {}) } : new View(...given); };",
      }),
    );
    await env.reset({ seed: 1 });
    const error = await settled(env.step([0]));
    expect(String(error)).toMatch(/user\/evil: step: its reply is invalid/);
    env.close();
  });
});
