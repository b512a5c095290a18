/** Errors: their classes by path and status, and the parsing of their bodies. */
import { describe, expect, it } from "vitest";
import { apiErrorOf, parseErrorBody } from "../../../src/remote/errors/apiErrorOf.ts";
import {
  RemoteApiError,
  RemoteAuthError,
  RemoteClient,
  RemoteConfigError,
  RemoteEnvironmentNotFoundError,
  RemoteError,
  RemoteFileNotFoundError,
  RemoteTrainingError,
  RemoteValidationError,
} from "../../../src/remote/index.ts";
import { KEY, withPlatform } from "../platform.ts";

const API = "/api/cli/v1";
const errorAt = (path: string, status_code = 422, detail = "no", extras = {}) =>
  apiErrorOf({ path, status_code, detail, extras });

describe("classes", () => {
  it("are all errors of the remote platform", () => {
    for (const made of [RemoteConfigError, RemoteFileNotFoundError, RemoteAuthError])
      expect(new made("x")).toBeInstanceOf(RemoteError);
    for (const made of [RemoteValidationError, RemoteEnvironmentNotFoundError, RemoteTrainingError]) {
      const error = new made({ detail: "x", status_code: 400 });
      expect(error).toBeInstanceOf(RemoteApiError);
      expect(error).toBeInstanceOf(RemoteError);
      expect(error.name).toBe(made.name);
    }
  });

  it.each([
    [`${API}/environments/create-and-validate`, RemoteValidationError],
    [`${API}/environments/validate`, RemoteValidationError],
    [`${API}/environments/profile`, RemoteValidationError],
    [`${API}/datasets/create`, RemoteValidationError],
    [`${API}/experiments/jobs/submit`, RemoteTrainingError],
    [`${API}/experiments/jobs/stop`, RemoteApiError],
    ["/v1/runs/e1/events", RemoteApiError],
  ])("of %s is %o", (path, kind) => {
    expect(errorAt(path).constructor).toBe(kind);
    expect(errorAt(path, 401)).toBeInstanceOf(RemoteAuthError);
  });

  it("of a submission without its environment says so", () => {
    const path = `${API}/experiments/jobs/submit`;
    expect(errorAt(path, 404, 'environment "Maze" not found')).toBeInstanceOf(RemoteEnvironmentNotFoundError);
    expect(errorAt(path, 404, "The Environment was Not Found")).toBeInstanceOf(
      RemoteEnvironmentNotFoundError,
    );
    expect(errorAt(path, 404, "project not found").constructor).toBe(RemoteTrainingError);
    expect(errorAt(`${API}/projects`, 404, "environment not found").constructor).toBe(RemoteApiError);
  });
});

describe("messages", () => {
  it("have label, status and detail, a line for each of the other keys, and what to do", () => {
    const error = new RemoteTrainingError({
      detail: "no machine",
      status_code: 409,
      extras: { wanted: 4, kinds: ["cpu"], note: "later" },
      hint: "Ask for fewer.",
    });
    expect(error.message).toBe(
      'Submission failed (409): no machine\n  wanted: 4\n  kinds: ["cpu"]\n  note: later\nAsk for fewer.',
    );
  });
});

describe("bodies", () => {
  it.each([
    [
      '{"description":"d","message":"m","detail":"x","error":"e"}',
      "d",
      { message: "m", detail: "x", error: "e" },
    ],
    ['{"message":"m","error":"e"}', "m", { error: "e" }],
    ['{"detail":"x","left":3}', "x", { left: 3 }],
    ['{"error":"e"}', "e", {}],
    ['{"ok":false,"error":{"message":"m","code":7}}', "m", { code: 7 }],
    ['{"detail":[{"loc":["a"]}]}', '[{"loc":["a"]}]', {}],
    ['"{\\"message\\":\\"in a text\\"}"', "in a text", {}],
    ['"a text"', "a text", {}],
    ['{"status":"validating"}\n{"message":"last line"}\n', "last line", {}],
    ['{"message":"cut off', '{"message":"cut off', {}],
    ["Bad gateway", "Bad gateway", {}],
    ["", "", {}],
    ['{"left":3}', "", { left: 3 }],
    ["x".repeat(600), `${"x".repeat(497)}...`, {}],
    [
      "connect http://db.default.svc:5432/x failed",
      "a service inside the platform failed; try again later",
      {},
    ],
  ])("%s", (text, detail, extras) => {
    expect(parseErrorBody(text)).toEqual({ detail, extras });
  });
});

describe("a platform that refuses", () => {
  const ask = async (
    status: number,
    body: string,
    headers: Record<string, string> = {},
  ): Promise<unknown> => {
    let thrown: unknown;
    await withPlatform(async (platform) => {
      platform.answer(() => ({ status, body, headers }));
      const client = new RemoteClient({ api_key: KEY, base_url: platform.base_url });
      thrown = await client.listProjects().catch((error: unknown) => error);
      expect(platform.asked).toHaveLength(1);
    });
    return thrown;
  };

  it.each([403, 404, 409, 413, 422, 429, 500, 503])("with %i is told once", async (status_code) => {
    const error = await ask(status_code, '{"message":"no"}');
    expect((error as Error).constructor).toBe(RemoteApiError);
    expect(error).toMatchObject({ status_code, detail: "no" });
  });

  it("without a word has an error all the same", async () => {
    expect(await ask(502, "")).toMatchObject({ detail: "the platform answered 502 without a reason" });
  });

  it("says when to come back, if that is after the time limit", async () => {
    expect(await ask(429, '{"message":"slow"}', { "Retry-After": "31" })).toMatchObject({
      extras: { retry_after: 31 },
      hint: "Try again in 31 s.",
    });
  });

  it("for now is asked again when it says, and not before", async () => {
    await withPlatform(async (platform) => {
      const client = new RemoteClient({ api_key: KEY, base_url: platform.base_url, project: "maze" });
      const busy = { status: 429, headers: { "Retry-After": "1" }, body: "" };
      platform.answer(() => (platform.asked.length === 1 ? busy : { data: [] }));
      const began = performance.now();
      expect(await client.listExperiments()).toEqual([]);
      expect(performance.now() - began).toBeGreaterThan(900);
      expect(platform.asked).toHaveLength(2);
    });
  });

  it("may do so in an envelope that is no error by its status", async () => {
    expect(await ask(200, '{"ok":false,"error":"broken"}')).toMatchObject({
      status_code: 200,
      detail: "broken",
    });
  });

  it("does not show the key", async () => {
    const error = await ask(400, `bad header: Bearer ${KEY}`);
    expect(String(error)).not.toContain(KEY);
    expect(error).toMatchObject({ detail: "bad header: Bearer (the key)" });
  });

  it("that is not there has status 0", async () => {
    let base_url = "";
    await withPlatform(async (platform) => {
      ({ base_url } = platform);
    });
    const error = await new RemoteClient({ api_key: KEY, base_url }).listProjects().catch((e: unknown) => e);
    expect((error as Error).constructor).toBe(RemoteApiError);
    expect(error).toMatchObject({ status_code: 0, detail: expect.stringContaining("ECONNREFUSED") });
  });
});
