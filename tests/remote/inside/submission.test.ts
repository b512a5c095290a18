/** Submitting jobs: requests, responses and retries. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type JobOptions,
  RemoteApiError,
  RemoteClient,
  RemoteEnvironmentNotFoundError,
  RemoteFileNotFoundError,
  RemoteTrainer,
  RemoteTrainingError,
  type SubmitEvent,
} from "../../../src/remote/index.ts";
import { collectSubmission, submitEventOf } from "../../../src/remote/submission.ts";
import { ACCEPTED, KEY, ndjson, type Platform, TAKEN, withPlatform } from "../platform.ts";

const trainerFor = ({ base_url }: Platform, project: string | null = null) =>
  new RemoteTrainer({
    algorithm: "DQN",
    environment: "CartPole-v1",
    client: new RemoteClient({ api_key: KEY, base_url, project }),
  });

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a job", () => {
  it("is sent with nulls for what is not given, and gives the completed event's detail", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ACCEPTED);
      const trainer = trainerFor(platform);
      expect(await trainer.train()).toEqual(TAKEN);
      expect(platform.asked[0]?.json).toEqual({
        manifest: trainer.payload,
        resource_id: null,
        num_nodes: null,
        project: null,
        experiment_name: null,
      });
      expect(platform.asked[0]?.headers.accept).toBe("application/x-ndjson");
    });
  });

  it("carries what it runs on and what it is called", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ACCEPTED);
      const given = { resource_id: "cpu-4", num_nodes: 2, project: "poles", experiment_name: "poles-1" };
      await trainerFor(platform, "maze").train(given);
      expect(platform.asked[0]?.json).toMatchObject(given);
      await trainerFor(platform, "maze").train({ resource_id: 7 });
      expect(platform.asked[1]?.json).toMatchObject({ resource_id: 7, project: "maze" });
    });
  });

  it("is sent as a form where it has a reward file, without what is not given", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ACCEPTED);
      const trainer = trainerFor(platform);
      const reward_file = new TextEncoder().encode("def reward(): ...");
      await trainer.train({ reward_file, num_nodes: 2, completion: "42" });
      const form = platform.asked[0]?.form;
      expect([...(form?.keys() ?? [])]).toEqual(["manifest", "num_nodes", "completion", "reward_file"]);
      expect(form?.get("manifest")).toBe(JSON.stringify(trainer.payload));
      expect(form?.get("num_nodes")).toBe("2");
      expect(form?.get("completion")).toBe("42");
      const file = form?.get("reward_file");
      expect(file).toMatchObject({ name: "reward.py", type: "text/x-python" });
      expect(await new Response(file).text()).toBe("def reward(): ...");
    });
  });

  it("takes a reward file by its path", async () => {
    const directory = mkdtempSync(path.join(tmpdir(), "rlkit-reward-"));
    try {
      writeFileSync(path.join(directory, "judge.js"), "export {};");
      await withPlatform(async (platform) => {
        platform.answer(() => ACCEPTED);
        await trainerFor(platform).train({ reward_file: path.join(directory, "judge.js") });
        expect(platform.asked[0]?.form?.get("reward_file")).toMatchObject({
          name: "judge.js",
          type: "text/javascript",
        });
        const missing = trainerFor(platform).train({ reward_file: path.join(directory, "none.py") });
        await expect(missing).rejects.toThrow(RemoteFileNotFoundError);
        expect(platform.asked).toHaveLength(1);
      });
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  it("sends no file of more than 256 KiB", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ACCEPTED);
      await trainerFor(platform).train({ reward_file: new Uint8Array(256 * 1024) });
      const larger = trainerFor(platform).train({ reward_file: new Uint8Array(256 * 1024 + 1) });
      await expect(larger).rejects.toThrow("reward_file: found 262145 bytes, allowed at most 262144");
      expect(platform.asked).toHaveLength(1);
    });
  });

  it("warns of a completion that goes nowhere", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await withPlatform(async (platform) => {
      platform.answer(() => ACCEPTED);
      await trainerFor(platform).train({ completion: "42" });
      expect(platform.asked[0]?.json).not.toHaveProperty("completion");
      expect(warned).toHaveBeenCalledWith("rlkit: completion is given without reward_file: it is not sent");
    });
  });

  // Wrong types on purpose.
  it.each([
    [{ num_nodes: 0 }, RangeError],
    [{ num_nodes: 1.5 }, RangeError],
    [{ resource_id: 1.5 }, RangeError],
    [{ resource_id: true }, TypeError],
    [{ project: 5 }, RangeError],
    [{ experiment_name: "" }, TypeError],
    [{ reward_file: [1] }, TypeError],
    [{ completion: {} }, TypeError],
    [{ nodes: 2 }, TypeError],
    [{ device: "webgpu" }, TypeError],
  ] as unknown as [JobOptions, typeof Error][])("refuses %j", async (options, kind) => {
    await withPlatform(async (platform) => {
      await expect(trainerFor(platform).train(options)).rejects.toThrow(kind);
      expect(platform.asked).toEqual([]);
    });
  });

  it("is taken by a client too, whose manifest may be a text", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ACCEPTED);
      const client = new RemoteClient({ api_key: KEY, base_url: platform.base_url });
      const manifest = "algorithm: {name: DQN}\nenvironment: {name: CartPole-v1}";
      await client.submitExperiment({ manifest });
      expect(platform.asked[0]?.json?.manifest).toEqual(trainerFor(platform).payload);
      await expect(client.submitExperiment({ manifest: "algorithm: {name: DQNN}" })).rejects.toThrow(
        'did you mean "DQN"',
      );
    });
  });
});

describe("connections that fail", () => {
  it("are made again once, under the same key", async () => {
    await withPlatform(async (platform) => {
      platform.answer((_, count) => (count === 1 ? { after: "cut" } : ACCEPTED));
      expect(await trainerFor(platform).train()).toEqual(TAKEN);
      expect(platform.asked).toHaveLength(2);
      const keys = platform.asked.map(({ headers }) => headers["idempotency-key"]);
      expect(keys[0]).toBe(keys[1]);
      expect(platform.asked[1]?.json).toEqual(platform.asked[0]?.json);
      await trainerFor(platform).train();
      expect(platform.asked[2]?.headers["idempotency-key"]).not.toBe(keys[0]);
    });
  });

  it("are made again amid the stream, with the form", async () => {
    await withPlatform(async (platform) => {
      const begun = ndjson({ kind: "status", status: "validating" });
      platform.answer((_, count) => (count === 1 ? { body: begun, after: "cut" } : ACCEPTED));
      expect(await trainerFor(platform).train({ reward_file: new Uint8Array(5) })).toEqual(TAKEN);
      const files = platform.asked.map(({ form }) => form?.get("reward_file"));
      expect(files).toHaveLength(2);
      for (const file of files) expect(file).toMatchObject({ size: 5 });
    });
  });

  it("are an error the second time", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ after: "cut" }));
      const error = await trainerFor(platform)
        .train()
        .catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(RemoteApiError);
      expect(error).not.toBeInstanceOf(RemoteTrainingError);
      expect(error).toMatchObject({ status_code: 0, detail: expect.stringContaining(platform.base_url) });
      expect(platform.asked).toHaveLength(2);
    });
  });

  it("are not made again after an answer", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ status: 503, body: "busy" }));
      await expect(trainerFor(platform).train()).rejects.toMatchObject({ status_code: 503, detail: "busy" });
      expect(platform.asked).toHaveLength(1);
    });
  });
});

describe("timeouts", () => {
  /** Replaces timeout signals with ones that the test ends. */
  function fakeTimeouts() {
    const made: { readonly ms: number; readonly end: () => void }[] = [];
    vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
      const controller = new AbortController();
      made.push({ ms, end: () => controller.abort(new DOMException("late", "TimeoutError")) });
      return controller.signal;
    });
    return made;
  }

  it("are 30 s for requests and 300 s for submissions unless given", async () => {
    await withPlatform(async (platform) => {
      const made = fakeTimeouts();
      platform.answer(({ json }) => (json ? ACCEPTED : { data: {} }));
      await trainerFor(platform).client.currentUser();
      await trainerFor(platform).train();
      const { base_url } = platform;
      const client = new RemoteClient({ api_key: KEY, base_url, request_timeout: 2, upload_timeout: 3 });
      await client.currentUser();
      await client.submitExperiment({ manifest: trainerFor(platform).manifest });
      expect(made.map(({ ms }) => ms)).toEqual([30_000, 300_000, 2000, 3000]);
    });
  });

  it("end a request that is not answered", async () => {
    await withPlatform(async (platform) => {
      const made = fakeTimeouts();
      // Only the beginning of the answer arrives.
      platform.answer(() => {
        queueMicrotask(() => made[0]?.end());
        return { body: "{", after: "open" };
      });
      const asked = trainerFor(platform).client.currentUser();
      await expect(asked).rejects.toMatchObject({ status_code: 0 });
      await expect(asked).rejects.toThrow("no whole answer within 30 s");
    });
  });

  it("do not end a stream that has begun", async () => {
    await withPlatform(async (platform) => {
      const made = fakeTimeouts();
      platform.answer(() => ACCEPTED);
      const statuses: string[] = [];
      const onEvent = (event: SubmitEvent): void => {
        made[0]?.end();
        if (event.kind === "status") statuses.push(event.status);
      };
      expect(await trainerFor(platform).train({ onEvent })).toEqual(TAKEN);
      expect(statuses).toEqual(["validating", "queued", "completed"]);
    });
  });

  it("end a download that pauses", async () => {
    await withPlatform(async (platform) => {
      fakeTimeouts();
      const closed = new Promise<void>((resolve) => {
        platform.answer(() => ({
          body: new Uint8Array(10),
          headers: { "Content-Length": "20" },
          after: "open",
          opened: (connection) => connection.onClose(resolve),
        }));
      });
      const { base_url } = platform;
      const client = new RemoteClient({ api_key: KEY, base_url, request_timeout: 0.02 });
      const asked = client.downloadElite("poles-1");
      await expect(asked).rejects.toMatchObject({ status_code: 0, detail: "no data received for 0.02 s" });
      await closed;
    });
  });
});

describe("the stream", () => {
  async function* linesOf(...lines: readonly (object | string)[]): AsyncGenerator<string> {
    for (const line of lines)
      yield await Promise.resolve(typeof line === "string" ? line : JSON.stringify(line));
  }

  const collect = (...lines: readonly (object | string)[]) =>
    collectSubmission(linesOf(...lines), () => undefined);

  it("has status events, checks and messages", () => {
    const told = (line: object): SubmitEvent => submitEventOf(JSON.stringify(line));
    expect(told({ kind: "status", stage: "s", status: "queued", message: "m", detail: { a: 1 } })).toEqual({
      kind: "status",
      stage: "s",
      status: "queued",
      message: "m",
      detail: { a: 1 },
    });
    expect(told({ kind: "warning", message: "slow" })).toMatchObject({ kind: "status", status: "warning" });
    expect(
      told({ kind: "check", detail: { check: "spaces", result: { success: false, error: "none" } } }),
    ).toEqual({ kind: "check", name: "spaces", success: false, warnings: [], error: "none" });
    expect(
      told({ kind: "check", detail: { check: "spaces", result: { success: true, warnings: ["w"] } } }),
    ).toEqual({ kind: "check", name: "spaces", success: true, warnings: ["w"], error: null });
    const failed = { kind: "status", status: "failed", message: "no", detail: { error_code: "X", left: 1 } };
    expect(told(failed)).toEqual({ kind: "error", message: "no", error_code: "X", extras: { left: 1 } });
    expect(told({ kind: "progress", message: "half" })).toEqual({ kind: "log", message: "half" });
    expect(submitEventOf("plain text")).toEqual({ kind: "log", message: "plain text" });
    expect(submitEventOf("[1, 2]")).toEqual({ kind: "log", message: "[1, 2]" });
  });

  it("gives the last completed event that says something", async () => {
    const completed = (detail: object | null) => ({ kind: "status", status: "completed", detail });
    expect(await collect(completed({ a: 1 }), completed({ b: 2 }), "", completed({}))).toEqual({ b: 2 });
    expect(await collect({ kind: "status", status: "queued", detail: { a: 1 } }, completed(null))).toEqual(
      {},
    );
  });

  it("may be one object of JSON, on any lines, or nothing", async () => {
    expect(await collect('{"experiment_id":', '"e1"}')).toEqual({ experiment_id: "e1" });
    expect(await collect({ ok: true, data: { experiment_id: "e1" } })).toEqual({ experiment_id: "e1" });
    expect(await collect()).toEqual({});
    expect(await collect("taken")).toEqual({});
  });

  it("ends with the first failure", async () => {
    const failed = {
      kind: "status",
      status: "failed",
      message: "two entrypoints",
      detail: { error_code: "AMBIGUOUS_ENTRYPOINT", available_entrypoints: ["a:A", "b:B"] },
    };
    const after = { kind: "status", status: "completed", detail: TAKEN };
    const told = collect(failed, after);
    await expect(told).rejects.toThrow(RemoteTrainingError);
    await expect(told).rejects.toMatchObject({
      detail: "two entrypoints",
      extras: { available_entrypoints: ["a:A", "b:B"] },
      hint: "Choose one as environment.entrypoint: a:A, b:B.",
    });
    const missing = collect({ kind: "status", status: "failed", message: "Environment Maze was not found" });
    await expect(missing).rejects.toThrow(RemoteEnvironmentNotFoundError);
    await expect(collect({ kind: "status", status: "failed" })).rejects.toThrow("without a reason");
  });
});
