/** The platform's HTTP API without a worker: access, refusals, and queued runs. */
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { httpTurns, turnsDirectory } from "../../platform/src/artifacts/turnStores.ts";
import { Database } from "../../platform/src/database/Database.ts";
import { migrate, requireMigrated } from "../../platform/src/database/migrate.ts";
import { WorkerTable } from "../../platform/src/worker/WorkerTable.ts";
import { VERSION } from "../../src/specs/messages.ts";
import { cartPole } from "./support/cartPole.ts";
import { ask, eventsOf, linesOf, streamed, submit } from "./support/client.ts";
import { TestPlatform } from "./support/platform.ts";
import { reasoning } from "./support/reasoning.ts";

const API = "/api/cli/v1";
const SUBMIT = `${API}/experiments/jobs/submit`;

/** Stops a run and returns its warnings so far. */
async function warningsOf(run: string): Promise<unknown[]> {
  await ask(platform, "POST", `${API}/experiments/jobs/stop`, { key: admin, body: { experiment_name: run } });
  const events = await eventsOf(platform, admin, run);
  return events.filter(({ event }) => event === "warning").map(({ data }) => data.message);
}

let platform: TestPlatform;
let admin: string;
/** Current time in milliseconds, for rate limits. */
let now = 0;

beforeAll(async () => {
  const origins = ["https://workbench.example"];
  platform = await TestPlatform.start({ now: () => now, origins, trusted_proxies: 2 });
  admin = await platform.key("admin");
});

afterAll(async () => {
  await platform?.close();
});

describe("keys", () => {
  it("are asked for, and hold until they are revoked or expire", async () => {
    expect((await ask(platform, "GET", "/api/users/current")).status).toBe(401);
    const { keys } = platform.server;
    const key = await keys.create({ name: "one", scopes: ["read"] });
    const answer = await ask(platform, "GET", "/api/users/current", { key });
    expect(answer.data).toMatchObject({ name: "one", scopes: ["read"], project: null });
    const { id } = z.object({ id: z.string() }).parse(answer.data);
    expect(await keys.revoke(id)).toBe(true);
    expect(await keys.revoke(id)).toBe(false);
    expect((await ask(platform, "GET", "/api/users/current", { key })).status).toBe(401);
    const old = await keys.create({ name: "old", scopes: ["read"], expires_at: new Date(0) });
    expect(await keys.verify(old)).toBeNull();
    expect(await keys.verify(`${old.slice(0, -1)}${old.endsWith("A") ? "B" : "A"}`)).toBeNull();
  });

  it("allow what their scopes say, and reach their project alone", async () => {
    const key = await platform.key("read");
    const refused = await ask(platform, "POST", SUBMIT, { key, body: { manifest: cartPole } });
    expect(refused).toMatchObject({ status: 403, message: expect.stringContaining("needs submit") });
    await ask(platform, "POST", `${API}/projects/create`, { key: admin, body: { name: "maze" } });
    const bound = await platform.server.keys.create({
      name: "b",
      scopes: ["read", "submit"],
      project: "maze",
    });
    const run = await submit(platform, admin, cartPole);
    expect((await ask(platform, "GET", `/v1/runs/${run}`, { key: bound })).status).toBe(404);
    const own = await submit(platform, bound, cartPole);
    expect((await ask(platform, "GET", `/v1/runs/${own}`, { key: bound })).data).toMatchObject({
      project: "maze",
    });
    const elsewhere = { manifest: cartPole, project: "default" };
    expect((await ask(platform, "POST", SUBMIT, { key: bound, body: elsewhere })).status).toBe(404);
  });

  it("that are wrong may be tried ten times in a minute, which slows no right key of that address", async () => {
    const wrong = { key: "rk_000000000000_wrong" };
    for (let i = 0; i < 10; i++) await ask(platform, "GET", "/v1/workers", wrong);
    const refused = await ask(platform, "GET", "/v1/workers", wrong);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect((await ask(platform, "GET", "/v1/workers", { key: admin })).status).toBe(200);
    expect((await ask(platform, "GET", "/v1/workers")).status).toBe(401);
    now += 60_000;
    expect((await ask(platform, "GET", "/v1/workers", wrong)).status).toBe(401);
  });

  it("that are wrong are counted by the address that the outermost proxy saw", async () => {
    const from = async (forwarded: string): Promise<number> => {
      const headers = { "X-Forwarded-For": forwarded };
      return (await ask(platform, "GET", "/v1/workers", { key: "rk_000000000000_wrong", headers })).status;
    };
    // What a client claims itself stands further left, and changes nothing.
    for (let i = 0; i < 10; i++) expect(await from(`10.0.0.${i}, 192.0.2.1, 198.51.100.1`)).toBe(401);
    expect(await from("10.0.0.99, 192.0.2.1, 198.51.100.1")).toBe(429);
    expect(await from("192.0.2.1, 192.0.2.2, 198.51.100.1")).toBe(401);
  });
});

describe("submitting", () => {
  it("tells its stages, and takes a request that is sent again once", async () => {
    const request = { key: admin, headers: { "Idempotency-Key": "a" }, body: { manifest: cartPole } };
    const first = await ask(platform, "POST", SUBMIT, request);
    expect(first.headers.get("Content-Type")).toBe("application/x-ndjson");
    expect(linesOf(first.text).map(({ status }) => status)).toEqual(["validating", "queued", "completed"]);
    const again = await ask(platform, "POST", SUBMIT, request);
    expect(linesOf(again.text).at(-1)).toEqual(linesOf(first.text).at(-1));
    const other = { ...request, body: { manifest: cartPole, experiment_name: "other" } };
    expect((await ask(platform, "POST", SUBMIT, other)).status).toBe(409);
  });

  it("takes a request that comes twice at once, once", async () => {
    const request = { key: admin, headers: { "Idempotency-Key": "b" }, body: { manifest: cartPole } };
    const both = await Promise.all([
      ask(platform, "POST", SUBMIT, request),
      ask(platform, "POST", SUBMIT, request),
    ]);
    const [a, b] = both.map(({ text }) => linesOf(text).at(-1)?.detail.experiment_id);
    expect(a).toBe(b);
  });

  it("refuses a name that the project has", async () => {
    const body = { manifest: cartPole, experiment_name: "poles" };
    expect((await ask(platform, "POST", SUBMIT, { key: admin, body })).status).toBe(200);
    const refused = await ask(platform, "POST", SUBMIT, { key: admin, body });
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('"poles" is taken') });
  });

  it("takes forms as it takes JSON", async () => {
    const form = new FormData();
    form.set("manifest", JSON.stringify(cartPole));
    form.set("num_nodes", "1");
    form.set("experiment_name", "by form");
    expect((await ask(platform, "POST", SUBMIT, { key: admin, body: form })).status).toBe(200);
    form.set("reward_file", new File(["x = 1"], "reward.py"));
    const refused = await ask(platform, "POST", SUBMIT, { key: admin, body: form });
    expect(refused).toMatchObject({ status: 422, message: expect.stringContaining("which is Python") });
  });

  const rows = {
    ...{ env_type: "rollout", dataset: "rlkit/backwards", prompt_template: { user_0: "{prompt}" } },
    rubric_file_path: "judges/judge.mjs",
  };
  const judged = { ...reasoning, environment: rows };
  const labelled = {
    algorithm: { name: "SFT" },
    environment: { env_type: "dataset", dataset: "rlkit/backwards", objective: "sft" },
    network: { pretrained_model_name_or_path: "rlkit/tiny-letters", max_context_length: 16 },
  };
  const submitted = async (manifest: object, file: File | string | null) => {
    const form = new FormData();
    form.set("manifest", JSON.stringify(manifest));
    if (file !== null) form.set("reward_file", file);
    return ask(platform, "POST", SUBMIT, { key: admin, body: form });
  };
  const module = (
    name: string,
    text: string | Uint8Array<ArrayBuffer> = "export const reward_fn = () => 1;",
  ) => new File([text], name);

  it("takes a reward module with the run whose manifest names it, and does not run it", async () => {
    const text = "globalThis.ran = true; throw new Error('ran');";
    const answer = await submitted(judged, module("judge.mjs", text));
    const run = linesOf(answer.text).at(-1)?.detail.experiment_id;
    const sha256 = createHash("sha256").update(text).digest("hex");
    const { data } = await ask(platform, "GET", `/v1/runs/${run}`, { key: admin });
    expect(data).toMatchObject({ state: "queued", reward_file: { name: "judge.mjs", sha256 } });
    const worker = await platform.key("worker");
    expect((await ask(platform, "GET", `/v1/artifacts/${sha256}`, { key: worker })).text).toBe(text);
    expect("ran" in globalThis).toBe(false);
  });

  it("takes a reward module once for each idempotency key, and no other in its place", async () => {
    const headers = { "Idempotency-Key": "judged" };
    const send = (text: string) => {
      const body = new FormData();
      body.set("manifest", JSON.stringify(judged));
      body.set("reward_file", module("judge.mjs", text));
      return ask(platform, "POST", SUBMIT, { key: admin, headers, body });
    };
    expect(linesOf((await send("1")).text)).toEqual(
      expect.arrayContaining([expect.objectContaining({ status: "completed" })]),
    );
    expect((await send("1")).status).toBe(200);
    expect((await send("2")).status).toBe(409);
  });

  it.each([
    ["of Python", judged, module("judge.py"), "found judge.py, which is Python"],
    [
      "of TypeScript",
      { ...judged, environment: { ...rows, rubric_file_path: "judge.ts" } },
      module("judge.ts"),
      "found judge.ts, allowed a JavaScript module (.js, .mjs)",
    ],
    [
      "for reinforcement learning",
      cartPole,
      module("judge.mjs"),
      "found judge.mjs, which reinforcement learning does not use",
    ],
    [
      "for labelled rows",
      labelled,
      module("judge.mjs"),
      "found judge.mjs, which learning from labelled rows does not use",
    ],
    [
      "for an environment",
      reasoning,
      module("judge.mjs"),
      "found judge.mjs, but environment.entrypoint computes the rewards",
    ],
    [
      "where the manifest names another",
      judged,
      module("other.mjs"),
      'found other.mjs, but environment.rubric_file_path is "judges/judge.mjs": name the module there',
    ],
    [
      "where the manifest names a rubric",
      { ...judged, environment: { ...rows, rubric_file_path: "number" } },
      module("judge.mjs"),
      'found judge.mjs, but environment.rubric_file_path is "number", which is built in',
    ],
    [
      "that is too large",
      judged,
      module("judge.mjs", "1".repeat(256 * 1024 + 1)),
      "found judge.mjs of 262145 bytes, allowed at most 262144",
    ],
    [
      "that is no text",
      judged,
      module("judge.mjs", Uint8Array.of(0x31, 0xff)),
      "found judge.mjs, which is not UTF-8",
    ],
  ] as const)("refuses a reward module %s", async (_, manifest, file, message) => {
    const refused = await submitted(manifest, file);
    expect(refused).toMatchObject({
      status: 422,
      message: expect.stringContaining(`reward_file: ${message}`),
    });
  });

  it("refuses a module that the manifest names and that is not sent, and one without bytes", async () => {
    expect(await submitted(judged, null)).toMatchObject({
      status: 422,
      message: expect.stringContaining(
        'environment.rubric_file_path: found "judges/judge.mjs"; the platform\'s workers cannot read your files and modules: allowed exact_match, contains, number, or a module that is sent as reward_file',
      ),
    });
    const body = { manifest: judged, reward_file: { name: "judge.mjs" } };
    expect(await ask(platform, "POST", SUBMIT, { key: admin, body })).toMatchObject({
      status: 422,
      message: expect.stringContaining("reward_file: found judge.mjs without its bytes"),
    });
  });

  it.each([
    ["an unknown field", { manifest: { ...cartPole, algorithm: { name: "DQNN" } } }, "algorithm.name"],
    [
      "MF-PBT",
      {
        manifest: {
          ...cartPole,
          training: { ...cartPole.training, pop_size: 6 },
          selection_strategy: { strategy: "multi_frequency" },
        },
      },
      "selection_strategy",
    ],
    ["too many machines", { manifest: cartPole, num_nodes: 65 }, "num_nodes: found 65, allowed 1 to 64"],
    [
      "a model of who submits it",
      {
        manifest: {
          ...reasoning,
          network: { ...reasoning.network, pretrained_model_name_or_path: "models/qwen2" },
        },
      },
      'network.pretrained_model_name_or_path: found "models/qwen2"',
    ],
    [
      "a module of who submits it",
      { manifest: { ...reasoning, environment: { ...reasoning.environment, entrypoint: "../x.mjs:Guess" } } },
      'environment.entrypoint: found "../x.mjs:Guess"',
    ],
    [
      "a language model on two machines",
      { manifest: reasoning, num_nodes: 2 },
      "num_nodes: found 2, allowed 1",
    ],
    ["another resource", { manifest: cartPole, resource_id: "tpu" }, 'found "tpu", allowed "cpu", "webgpu"'],
    ["a path as a name", { manifest: cartPole, experiment_name: "../../etc/passwd" }, "experiment_name"],
    ["a field that nobody knows", { manifest: cartPole, nodes: 2 }, "nodes"],
  ])("refuses %s with its place", async (_, body, place) => {
    const refused = await ask(platform, "POST", SUBMIT, { key: admin, body });
    expect(refused.status).toBe(422);
    expect(refused.message).toContain(place);
  });

  it("refuses bodies that are broken, deep or too large, before it looks at them", async () => {
    const send = async (body: string) => (await ask(platform, "POST", SUBMIT, { key: admin, body })).status;
    expect(await send('{"manifest": ')).toBe(400);
    expect(await send(`{"manifest": ${"[".repeat(50_000)}${"]".repeat(50_000)}}`)).toBe(400);
    expect(await send(`{"manifest": "${" ".repeat(1024 * 1024)}"}`)).toBe(413);
    const headers = { "Content-Type": "application/xml" };
    expect((await ask(platform, "POST", SUBMIT, { key: admin, body: "<a/>", headers })).status).toBe(415);
    expect((await ask(platform, "GET", "/v1/runs/%00", { key: admin })).status).toBe(400);
  });

  it("is allowed thirty times in an hour", async () => {
    const key = await platform.key("submit");
    for (let i = 0; i < 30; i++) await submit(platform, key, cartPole);
    const refused = await ask(platform, "POST", SUBMIT, { key, body: { manifest: cartPole } });
    expect(refused.status).toBe(429);
    now += 3_600_000;
    expect((await ask(platform, "POST", SUBMIT, { key, body: { manifest: cartPole } })).status).toBe(200);
  });
});

describe("a run that waits", () => {
  it("is stopped at once, tells so, and goes on when it is asked to", async () => {
    const run = await submit(platform, admin, cartPole);
    const body = { experiment_name: run };
    const stopped = await ask(platform, "POST", `${API}/experiments/jobs/stop`, { key: admin, body });
    expect(stopped.data).toMatchObject({ state: "stopped" });
    const events = await eventsOf(platform, admin, run);
    expect(events.map(({ id, event, data }) => [id, event, data.state])).toEqual([
      [1, "state", "queued"],
      [2, "state", "stopped"],
    ]);
    expect((await ask(platform, "POST", `${API}/experiments/jobs/stop`, { key: admin, body })).status).toBe(
      409,
    );
    const resumed = await ask(platform, "POST", `/v1/runs/${run}/resume`, { key: admin });
    expect(resumed.data).toMatchObject({ state: "queued" });
  });

  it("says that no worker takes it", async () => {
    const run = await submit(platform, admin, cartPole);
    await platform.server.reconciler.look();
    await platform.server.reconciler.look();
    expect(await warningsOf(run)).toEqual([
      expect.stringMatching(/^No running worker can take this run;.*worker\.$/),
    ]);
  });

  it("says why those workers take none that there are", async () => {
    const database = new Database({ url: platform.postgres.url, log: () => undefined, connections: 1 });
    const workers = new WorkerTable(database);
    const worker = {
      pid: 7,
      host: "a",
      cores: 1,
      device: "cpu",
      version: VERSION,
      queue: "database",
    } as const;
    await workers.register({ ...worker, id: "old", version: "0.0.1" });
    await workers.register({ ...worker, id: "lost", pid: 8, queue: "redis" });
    // Heartbeats in the future, so that the workers count as alive however long the reconciliations take.
    const live = "UPDATE workers SET seen_at = now() + interval '1 day'";
    await database.query(live);
    const run = await submit(platform, admin, cartPole);
    await platform.server.reconciler.look();
    await platform.server.reconciler.look();
    await workers.register({ ...worker, id: "able" });
    await database.query(live);
    const served = await submit(platform, admin, cartPole);
    await platform.server.reconciler.look();
    await platform.server.reconciler.look();
    // Read before the workers are removed, as the server also reconciles by itself.
    const warnings = await Promise.all([run, served].map(warningsOf));
    for (const id of ["old", "lost", "able"]) await workers.remove(id);
    await database.close();
    expect(warnings).toEqual([[expect.stringContaining("the worker 7 on a has version 0.0.1")], []]);
    expect(warnings[0]?.[0]).toContain(
      "the worker 8 on a looks for jobs in Redis, but they are in the database",
    );
  });

  it("has no more than ten streams of a key", async () => {
    const run = await submit(platform, admin, cartPole);
    const key = await platform.key("read");
    const leaving = new AbortController();
    const open = Array.from({ length: 10 }, () => streamed(platform, key, run, { signal: leaving.signal }));
    for (const stream of open) await stream.next();
    const eleventh = await ask(platform, "GET", `/v1/runs/${run}/events`, { key });
    expect(eleventh.status).toBe(429);
    leaving.abort();
    await expect
      .poll(async () => (await ask(platform, "GET", "/metrics")).text)
      .toContain("rlkit_event_streams 0");
  });
});

it("finds no checkpoint and no elite by tricks with paths", async () => {
  const run = await submit(platform, admin, cartPole);
  const paths = [
    `/v1/runs/${run}/elite.safetensors`,
    `/v1/runs/${run}/checkpoints/generation_1.zip`,
    `/v1/runs/${run}/checkpoints/..%2F..%2Fpepper`,
    `/v1/runs/${run}/checkpoints/generation_1/elite.safetensors`,
    `/v1/runs/${run}/checkpoints/generation_1/..%2F..%2Fpepper`,
    `/v1/runs/${run}/checkpoints/generation_1/constructor`,
    "/v1/runs/..%2F..%2Fpepper/elite.safetensors",
    "/nothing",
  ];
  const answers = await Promise.all(paths.map((path) => ask(platform, "GET", path, { key: admin })));
  expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
});

it("takes artifacts from workers alone, under their own hash", async () => {
  const key = await platform.key("worker");
  const sha256 = createHash("sha256").update("weights").digest("hex");
  const put = (hash: string, by: string) =>
    fetch(`${platform.url}/v1/artifacts/${hash}`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${by}`, "Content-Type": "application/octet-stream" },
      body: "weights",
    });
  expect((await put(sha256, await platform.key("submit"))).status).toBe(403);
  expect((await put("0".repeat(64), key)).status).toBe(422);
  expect((await put("../../pepper", key)).status).toBe(404);
  expect((await ask(platform, "GET", `/v1/artifacts/${sha256}`, { key })).status).toBe(404);
  expect([(await put(sha256, key)).status, (await put(sha256, key)).status]).toEqual([200, 200]);
  expect((await ask(platform, "GET", `/v1/artifacts/${sha256}`, { key })).text).toBe("weights");
});

it("keeps what a run's machines pass to each other apart for each attempt, for workers alone", async () => {
  const key = await platform.key("worker");
  const sha256 = createHash("sha256").update("turn").digest("hex");
  const run = await submit(platform, admin, cartPole);
  const bytes = new TextEncoder().encode("turn");
  const open = (attempt: number, by = key) =>
    httpTurns({ url: platform.url, key: by, log: () => undefined, signal: new AbortController().signal })({
      run,
      attempt,
    });
  await expect(open(1, await platform.key("read")).put(bytes)).rejects.toThrow("403");
  expect(await open(1).put(bytes)).toBe(sha256);
  expect(new TextDecoder().decode(await open(1).get(sha256))).toBe("turn");
  await expect(open(2).get(sha256)).rejects.toThrow("404");
  await open(2).remove(sha256);
  await open(1).remove(sha256);
  await expect(open(1).get(sha256)).rejects.toThrow("404");
  const refused = await ask(platform, "GET", `/v1/runs/..%2Fkeys/attempts/1/artifacts/${sha256}`, { key });
  expect(refused.status).toBe(422);
  expect(await readdir(turnsDirectory(platform.directory))).toEqual([`${run}-1`]);
  await platform.server.reconciler.look();
  expect(await readdir(turnsDirectory(platform.directory))).toEqual([]);
});

it("keeps projects until they are empty", async () => {
  const remove = (name: string) =>
    ask(platform, "DELETE", `${API}/projects/delete`, { key: admin, body: { name } });
  const create = () =>
    ask(platform, "POST", `${API}/projects/create`, { key: admin, body: { name: "poles" } });
  expect((await create()).data).toEqual({
    name: "poles",
    description: "",
    llm_based: false,
    type: "reinforcement_learning",
  });
  expect((await create()).status).toBe(409);
  await ask(platform, "POST", SUBMIT, { key: admin, body: { manifest: cartPole, project: "poles" } });
  expect((await remove("poles")).status).toBe(409);
  expect((await remove("default")).status).toBe(409);
  expect((await remove("nowhere")).status).toBe(404);
});

it("knows environments, resources and itself", async () => {
  const exists = async (query: string) =>
    (await ask(platform, "GET", `${API}/environments/exists?${query}`, { key: admin })).data;
  expect(await exists("name=CartPole-v1")).toEqual({ exists: true });
  expect(await exists("name=Nothing-v0")).toEqual({ exists: false });
  const { data } = await ask(platform, "GET", `${API}/resources/list`, { key: admin });
  expect(data).toMatchObject([
    { resource_id: "cpu", workers: 0 },
    { resource_id: "webgpu", workers: 0 },
  ]);
  expect((await ask(platform, "GET", "/readyz")).status).toBe(200);
  const description: unknown = await (await fetch(`${platform.url}/openapi.json`)).json();
  expect(description).toMatchObject({
    openapi: "3.1.0",
    paths: {
      [SUBMIT]: { post: { "x-scope": "submit" } },
      "/v1/runs/{id}/events": { get: { "x-scope": "read" } },
    },
  });
});

it("answers pages of the origins that are allowed, and of no others", async () => {
  const from = async (Origin: string) =>
    (await ask(platform, "OPTIONS", SUBMIT, { headers: { Origin } })).headers.get(
      "Access-Control-Allow-Origin",
    );
  expect(await from("https://workbench.example")).toBe("https://workbench.example");
  expect(await from("https://elsewhere.example")).toBeNull();
});

it("lets pages send what a client sends, and read what they are answered and refused", async () => {
  const Origin = "https://workbench.example";
  const run = await submit(platform, admin, cartPole);
  const preflight = await ask(platform, "OPTIONS", `/v1/runs/${run}/events`, { headers: { Origin } });
  expect(preflight.status).toBe(204);
  const listed = (preflight.headers.get("Access-Control-Allow-Headers") ?? "").toLowerCase().split(", ");
  for (const name of ["authorization", "content-type", "idempotency-key", "last-event-id"])
    expect(listed).toContain(name);
  expect(preflight.headers.get("Access-Control-Allow-Methods")).toBe("GET, POST, DELETE");
  expect(Number(preflight.headers.get("Access-Control-Max-Age"))).toBeGreaterThan(0);
  const refused = await ask(platform, "GET", "/api/users/current", { headers: { Origin } });
  expect([refused.status, refused.headers.get("Access-Control-Allow-Origin")]).toEqual([401, Origin]);
  const missing = await ask(platform, "GET", "/v1/nothing", { key: admin, headers: { Origin } });
  expect([missing.status, missing.headers.get("Access-Control-Allow-Origin")]).toEqual([404, Origin]);
  const end = new AbortController();
  const stream = await fetch(`${platform.url}/v1/runs/${run}/events`, {
    headers: { Origin, Authorization: `Bearer ${admin}`, "Last-Event-ID": "0" },
    signal: end.signal,
  });
  expect(stream.headers.get("Access-Control-Allow-Origin")).toBe(Origin);
  end.abort();
});

it("leaves tables of a newer version alone", async () => {
  const database = new Database({ url: platform.postgres.url, log: () => undefined, connections: 1 });
  await expect(migrate(database, [])).rejects.toThrow(/version 6, this rlkit-platform supports up to 0/);
  const setVersion = (version: number) => database.query("UPDATE schema_version SET version = $1", [version]);
  await setVersion(99);
  await expect(requireMigrated(database)).rejects.toThrow(/version 99, .* supports up to 6; upgrade it/);
  await setVersion(1);
  await expect(requireMigrated(database)).rejects.toThrow(/version 1, allowed 6; start rlkit-platform serve/);
  await setVersion(5);
  await database.close();
});
