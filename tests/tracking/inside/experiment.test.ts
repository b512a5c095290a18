import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { requireAddress } from "../../../src/http/access.ts";
import { WandbTracker } from "../../../src/tracking/clients.ts";
import { parseTrackerKwargs } from "../../../src/tracking/index.ts";
import { MlflowTracker } from "../../../src/tracking/mlflow/MlflowTracker.ts";
import { netrcPassword, requireKey } from "../../../src/tracking/remote/trackerKey.ts";
import {
  type Answer,
  type Asked,
  FakeMlflow,
  type FakeServer,
  FakeWandb,
  fakeServer,
} from "../fakeServer.ts";

const KEY = "0123456789abcdef0123456789abcdef01234567";
const servers: FakeServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

/** A tracker of either service before its server, which may disturb answers. */
async function made(
  service: "wandb" | "mlflow",
  disturb: (asked: Asked, count: number, answer: () => Answer) => Answer = (_asked, _count, answer) =>
    answer(),
  more: { readonly closing_ms?: number; readonly origin?: string; readonly resume?: "allow" | "must" } = {},
) {
  const [wandb, mlflow] = [new FakeWandb(), new FakeMlflow()];
  const server = await fakeServer((asked, count) =>
    disturb(asked, count, () => (service === "wandb" ? wandb.answer(asked, KEY) : mlflow.answer(asked))),
  );
  servers.push(server);
  const failures: string[] = [];
  const warnings: string[] = [];
  const pauses: number[] = [];
  const common = {
    base: server.address,
    onFailure: (_tracker: unknown, error: unknown) => void failures.push(String(error)),
    warn: (message: string) => void warnings.push(message),
    // Pauses are noted, not waited for.
    wait: async (ms: number) => {
      pauses.push(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
    ...more,
  };
  const config = { lr: 0.001, name: "DQN" };
  const withFetch = (own?: typeof fetch) =>
    service === "wandb"
      ? new WandbTracker({
          ...common,
          ...(own && { fetch: own }),
          api_key: KEY,
          run: {
            project: "rlkit",
            displayName: "a run",
            id: "abcd1234",
            config,
            resume: more.resume ?? null,
          },
        })
      : new MlflowTracker({
          ...common,
          ...(own && { fetch: own }),
          authorization: `Bearer ${KEY}`,
          run: { experiment_name: "rlkit", run_name: "a run", params: config },
        });
  return { tracker: withFetch(), withFetch, server, wandb, mlflow, failures, warnings, pauses };
}

const ROWS = Array.from({ length: 5 }, (_, i) => ({
  "train/global_step": 100 * (i + 1),
  loss: i === 2 ? Number.NaN : i,
}));

/** Disturbs requests that bring rows: the first is number 1. */
function ofRows(disturb: (count: number, answer: () => Answer) => Answer) {
  let count = 0;
  return (asked: Asked, _count: number, answer: () => Answer): Answer =>
    asked.body.includes("loss") ? disturb(++count, answer) : answer();
}

/** All rows, told one after another, some of them after others have gone. */
async function told({ tracker }: Awaited<ReturnType<typeof made>>): Promise<void> {
  await tracker.open();
  for (const row of ROWS) {
    tracker.row(row, row["train/global_step"]);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await tracker.close({ ok: true });
}

describe.each(["wandb", "mlflow"] as const)("%s", (service) => {
  const complete = ({ wandb, mlflow }: Awaited<ReturnType<typeof made>>): void => {
    if (service === "wandb") {
      expect(wandb.rows.map((row) => row["train/global_step"])).toEqual(
        ROWS.map((row) => row["train/global_step"]),
      );
      expect(wandb.rows.map((row) => row._step)).toEqual([0, 1, 2, 3, 4]);
      expect(wandb.rows.map((row) => row.loss)).toEqual([0, 1, "NaN", 3, 4]);
      expect(wandb.exit).toBe(0);
    } else {
      const loss = mlflow.metrics.get("loss") ?? [];
      expect(loss.map(({ step, value }) => [step, value])).toEqual([
        [100, 0],
        [200, 1],
        [300, "NaN"],
        [400, 3],
        [500, 4],
      ]);
      expect(Object.fromEntries(mlflow.params)).toEqual({ lr: "0.001", name: "DQN" });
      expect(mlflow.status).toBe("FINISHED");
    }
  };

  it("gets the rows of a run", async () => {
    const all = await made(service);
    await told(all);
    complete(all);
    expect([all.failures, all.warnings]).toEqual([[], []]);
  });

  it("gets them when it was overloaded, or took a body and failed then", async () => {
    const disturb = ofRows((count, answer) => {
      if (count === 1) return { status: 503 };
      if (count === 2) return { status: 429, headers: { "Retry-After": "7" } };
      if (count === 3) {
        answer();
        return { status: 500 };
      }
      return answer();
    });
    const all = await made(service, disturb);
    await told(all);
    complete(all);
    expect(all.pauses).toContain(7000);
    expect(all.warnings).toHaveLength(1);
    expect(all.warnings[0]).toMatch(/answered 503; rows are queued/);
    expect(all.failures).toEqual([]);
  });

  it("ends for an answer that will not change", async () => {
    const all = await made(
      service,
      ofRows(() => ({ status: 422, body: "no" })),
    );
    await all.tracker.open();
    for (const row of ROWS) all.tracker.row(row, row["train/global_step"]);
    await all.tracker.close({ ok: true }).catch(() => undefined);
    expect(all.failures).toHaveLength(1);
    expect(all.failures[0]).toMatch(/answered 422: no/);
  });

  it("comes to an end when the server does not come back, and says what was lost", async () => {
    let gone = false;
    const all = await made(service, (_asked, _count, answer) => (gone ? { gone } : answer()), {
      closing_ms: 20,
    });
    await all.tracker.open();
    gone = true;
    for (const row of ROWS) all.tracker.row(row, row["train/global_step"]);
    await expect(all.tracker.close({ ok: true })).rejects.toThrow(
      /did not respond again, and 5 rows were not sent/,
    );
    const asked = all.server.asked.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(all.server.asked).toHaveLength(asked);
    expect(all.warnings).toHaveLength(1);
  });

  it("is refused with a key that the server refuses, and the key is told to nobody", async () => {
    const all = await made(service, () => ({ status: 401, body: "bad key" }));
    const error = await all.tracker.open().catch((refusal: unknown) => refusal);
    expect(String(error)).toMatch(/^TrackerRefusedError: tracker_api_key: /);
    expect(JSON.stringify([String(error), all.warnings, all.failures])).not.toContain(KEY);
  });

  it("does not repeat the key where the server does", async () => {
    const all = await made(service, ({ authorization }) => ({
      status: 422,
      body: `${authorization} ${KEY}`,
    }));
    const error = await all.tracker.open().catch((refusal: unknown) => refusal);
    expect(String(error)).toMatch(/answered 422: \w+ \(the key\) \(the key\)/);
  });

  it("does not follow to another host", async () => {
    const other = await fakeServer(() => ({ body: "{}" }));
    servers.push(other);
    const all = await made(service, () => ({
      status: 307,
      headers: { Location: `${other.address}/graphql` },
    }));
    await all.tracker.open().catch(() => undefined);
    expect(other.asked).toEqual([]);
    expect(all.server.asked.length).toBeGreaterThan(0);
  });

  it("is refused where the server does not allow the page, and does not send it the key", async () => {
    const all = await made(service, (_asked, _count, answer) => answer(), { origin: "http://page.example" });
    const asked: RequestInit[] = [];
    const refusing: typeof fetch = async (_url, init = {}) => {
      asked.push(init);
      // As browsers do: an answer to a request of another mode is not readable.
      if (init.mode === "no-cors") return new Response();
      throw new TypeError("Failed to fetch");
    };
    const error = await all
      .withFetch(refusing)
      .open()
      .catch((refusal: unknown) => refusal);
    expect(String(error)).toMatch(
      /^TrackerRefusedError: wb: http:.* does not allow requests of pages from http:\/\/page\.example\. Two ways out: .*\(CORS\).*download and import/,
    );
    expect(asked.map(({ mode, headers }) => [mode, headers !== undefined])).toEqual([
      [undefined, true],
      ["no-cors", false],
    ]);
  });

  it("starts before a server that does not answer, and goes on when it is there", async () => {
    const all = await made(service, (_asked, count, answer) => (count <= 2 ? { gone: true } : answer()));
    await told(all);
    complete(all);
    expect(all.warnings.length).toBeLessThan(2);
  });
});

it("MLflow makes one run, also when it failed just after", async () => {
  let failed = false;
  const all = await made("mlflow", ({ body }, _count, answer) => {
    if (failed || !body.includes("params")) return answer();
    failed = true;
    return { status: 503 };
  });
  await told(all);
  expect(all.server.asked.filter(({ url }) => url.endsWith("runs/create"))).toHaveLength(1);
  expect(Object.fromEntries(all.mlflow.params)).toEqual({ lr: "0.001", name: "DQN" });
});

it("Weights & Biases is told what the run is", async () => {
  const all = await made("wandb");
  await told(all);
  expect(all.wandb.variables[0]).toMatchObject({
    name: "abcd1234",
    project: "rlkit",
    entity: "team",
    displayName: "a run",
    config: JSON.stringify({ lr: { value: 0.001 }, name: { value: "DQN" } }),
  });
});

describe("tables", () => {
  const COLUMNS = ["prompt", "reward"];
  const CELLS = [
    ["2 + 2", 0.5],
    ["\u00fc", 1],
  ];
  const TEXT = JSON.stringify({ columns: COLUMNS, data: CELLS });

  it("go to Weights & Biases as files, also when it failed in between, and the key does not go with them", async () => {
    let failed = 0;
    const all = await made("wandb", ({ url, body }, _count, answer) => {
      // The file is there then, and the line is not.
      if (!body.includes("table-file") || !url.includes("file_stream") || failed++ > 0) return answer();
      return { status: 500 };
    });
    await all.tracker.open();
    all.tracker.row({ loss: 1 }, 10);
    all.tracker.table?.("train/completions", COLUMNS, CELLS);
    all.tracker.row({ loss: 2 }, 20);
    await all.tracker.close({ ok: true });
    const sha256 = createHash("sha256").update(TEXT).digest("hex");
    const path = `media/table/train/completions_1_${sha256.slice(0, 20)}.table.json`;
    expect([...all.wandb.files]).toEqual([[path, TEXT]]);
    const size = Buffer.byteLength(TEXT);
    expect(all.wandb.rows).toMatchObject([
      { _step: 0, loss: 1 },
      { _step: 1, "train/completions": { _type: "table-file", path, sha256, size, ncols: 2, nrows: 2 } },
      { _step: 2, loss: 2 },
    ]);
    expect(failed).toBeGreaterThan(1);
    expect(all.server.asked.filter(({ method }) => method === "PUT")).toHaveLength(1);
    expect(all.failures).toEqual([]);
  });

  it("go to MLflow as artifacts", async () => {
    const all = await made("mlflow");
    await all.tracker.open();
    all.tracker.row({ loss: 1 }, 10);
    all.tracker.table?.("train/completions", COLUMNS, CELLS);
    await all.tracker.close({ ok: true });
    expect([...(all.mlflow.artifacts ?? [])]).toEqual([["tables/train-completions_10.json", TEXT]]);
    expect(all.warnings).toEqual([]);
  });

  it.each([
    [
      "keeps them where only its own clients reach",
      null,
      /wb: tables are not stored there: only MLflow's own client/,
    ],
    ["refuses them", 403, /wb: tables are not stored there: http:.* answered 403/],
  ])("are warned of once where MLflow %s, and rows go on", async (_, status, warning) => {
    const all = await made("mlflow", ({ method }, _count, answer) =>
      method === "PUT" && status !== null ? { status } : answer(),
    );
    if (status === null) all.mlflow.artifacts = null;
    await all.tracker.open();
    all.tracker.table?.("a", COLUMNS, CELLS);
    all.tracker.table?.("b", COLUMNS, CELLS);
    all.tracker.row({ loss: 1 }, 10);
    await all.tracker.close({ ok: true });
    expect(all.warnings).toEqual([expect.stringMatching(warning)]);
    expect(all.failures).toEqual([]);
    expect(all.mlflow.metrics.get("loss")).toHaveLength(1);
  });
});

describe("a run of Weights & Biases that goes on", () => {
  const resumed = async (resume: "allow" | "must", lines: number) => {
    const all = await made("wandb", undefined, { resume });
    all.wandb.lines.push(...Array.from({ length: lines }, (_, i) => `{"_step": ${i}}`));
    if (lines > 0) all.wandb.known = "abcd1234";
    return all;
  };

  it.each(["allow", "must"] as const)("has its lines behind those that are there: %s", async (resume) => {
    const all = await resumed(resume, 3);
    await told(all);
    expect(all.wandb.rows.map(({ _step }) => _step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(all.wandb.rows[3]?.["train/global_step"]).toBe(100);
    expect([all.failures, all.warnings]).toEqual([[], []]);
  });

  it("begins where there is none, or is refused where it must be there", async () => {
    const all = await resumed("allow", 0);
    await told(all);
    expect(all.wandb.rows.map(({ _step }) => _step)).toEqual([0, 1, 2, 3, 4]);
    const none = await resumed("must", 0);
    await expect(none.tracker.open()).rejects.toThrow(
      /^tracker_kwargs\.id: found no run abcd1234 in team\/rlkit, but resume is must/,
    );
    expect(none.wandb.variables).toEqual([]);
    expect(() => parseTrackerKwargs({ resume: "must" })).toThrow(/^tracker_kwargs\.id: found nothing/);
    expect(() => parseTrackerKwargs({ resume: "never", id: "a" })).toThrow(/^tracker_kwargs\.resume: /);
  });
});

describe("keys and addresses", () => {
  it("are found in a .netrc file", () => {
    const text =
      "machine a.b login x password p1\n# no\nmachine api.wandb.ai\n  login user\n  password p2\ndefault password p3";
    expect(netrcPassword(text, "api.wandb.ai")).toBe("p2");
    expect(netrcPassword(text, "a.b")).toBe("p1");
    expect(netrcPassword(text, "c.d")).toBeNull();
  });

  it("are refused when no header or fetch could carry them", () => {
    expect(() => requireKey("abc\ndef")).toThrow(
      /^tracker_api_key: contains spaces, line breaks or other characters/,
    );
    expect(requireKey("abc-def")).toBe("abc-def");
    for (const address of ["ftp://x", "x", ""])
      expect(() => requireAddress(address, "tracker_kwargs.base_url")).toThrow(
        /^tracker_kwargs\.base_url: found/,
      );
    expect(requireAddress("http://localhost:5000/", "x")).toBe("http://localhost:5000");
  });

  it("are no part of tracker_kwargs", () => {
    expect(() => parseTrackerKwargs({ api_key: KEY })).toThrow(
      /^tracker_kwargs\.api_key: keys are not given here/,
    );
    expect(() => parseTrackerKwargs({ addl_args: { api_key: KEY } })).toThrow(/^tracker_kwargs\.api_key/);
    expect(() => parseTrackerKwargs({ tags: "a" })).toThrow(/^tracker_kwargs\.tags: /);
    expect(parseTrackerKwargs({ project: "p", addl_args: { notes: "n" }, entity: null })).toEqual({
      project: "p",
      notes: "n",
    });
  });
});
