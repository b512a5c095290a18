/** The constructor and the methods of RemoteClient. */
import { describe, expect, it, vi } from "vitest";
import {
  RemoteApiError,
  RemoteAuthError,
  RemoteClient,
  type RemoteClientOptions,
  RemoteConfigError,
} from "../../src/remote/index.ts";
import { type Answer, KEY, type Platform, withPlatform } from "./platform.ts";

const clientOf = ({ base_url }: Platform, options: RemoteClientOptions = {}) =>
  new RemoteClient({ api_key: KEY, base_url, ...options });

describe("making a client", () => {
  it("asks the platform of this machine unless told otherwise", () => {
    vi.stubEnv("RLKIT_BASE_URL", "");
    expect(new RemoteClient().base_url).toBe("http://127.0.0.1:8400");
    vi.stubEnv("RLKIT_BASE_URL", "https://platform.example/");
    expect(new RemoteClient().base_url).toBe("https://platform.example");
    expect(new RemoteClient({ base_url: "http://other:1/base/" }).base_url).toBe("http://other:1/base");
  });

  it("takes the key from the options, else from the environment", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ data: {} }));
      vi.stubEnv("RLKIT_API_KEY", KEY);
      await clientOf(platform, { api_key: null }).currentUser();
      const refused = clientOf(platform, { api_key: "rk_other_secret" }).currentUser();
      await expect(refused).rejects.toThrow(RemoteAuthError);
    });
  });

  it("sends nothing without a key", async () => {
    await withPlatform(async (platform) => {
      vi.stubEnv("RLKIT_API_KEY", "");
      const client = clientOf(platform, { api_key: null });
      await expect(client.currentUser()).rejects.toThrow(RemoteAuthError);
      await expect(client.currentUser()).rejects.toThrow("api_key: found none");
      await expect(client.watchExperiment("poles").next()).rejects.toThrow(RemoteAuthError);
      await expect(client.downloadElite("poles")).rejects.toThrow(RemoteAuthError);
      expect(platform.asked).toEqual([]);
    });
  });

  it.each(["", "a b", "rk_é", "rk_a\nX-Other: 1"])("refuses the key %j without saying it", (api_key) => {
    const make = () => new RemoteClient({ api_key });
    expect(make).toThrow(RemoteAuthError);
    expect(make).toThrow(
      /^api_key: is empty, or contains spaces, line breaks or other characters that keys do not have/,
    );
    expect(make).not.toThrow("rk_");
  });

  it("refuses addresses that are none, and says where they come from", () => {
    expect(() => new RemoteClient({ base_url: "platform.example:8400" })).toThrow(RemoteConfigError);
    expect(() => new RemoteClient({ base_url: "ftp://platform.example" })).toThrow("base_url: found");
    expect(() => new RemoteClient({ base_url: "http://me:pw@platform.example" })).toThrow(
      "base_url: has a user",
    );
    vi.stubEnv("RLKIT_BASE_URL", "nowhere");
    expect(() => new RemoteClient()).toThrow("RLKIT_BASE_URL: found");
  });

  // Wrong types on purpose.
  it.each([
    [{ apikey: "x" }, TypeError, 'unknown option apikey (did you mean "api_key"?)'],
    [{ api_key: 5 }, TypeError, "api_key: found a number"],
    [{ request_timeout: 0 }, RangeError, "request_timeout: found 0"],
    [{ upload_timeout: Number.NaN }, RangeError, "upload_timeout: found NaN"],
    [{ project: "" }, TypeError, "project: found"],
  ] as [RemoteClientOptions, typeof Error, string][])("refuses %j", (options, kind, message) => {
    expect(() => new RemoteClient(options)).toThrow(kind);
    expect(() => new RemoteClient(options)).toThrow(message);
  });
});

/** Each method, with its expected request, an answer and the expected result. */
const VERBS: readonly [
  name: string,
  call: (client: RemoteClient) => Promise<unknown>,
  route: string,
  query: Readonly<Record<string, string>>,
  json: object | null,
  answer: Answer,
  result: unknown,
][] = [
  [
    "currentUser",
    (c) => c.currentUser(),
    "GET /api/users/current",
    {},
    null,
    { data: { name: "me" } },
    { name: "me" },
  ],
  ["credits", (c) => c.credits(), "GET /api/users/credits", {}, null, { data: { left: 1 } }, { left: 1 }],
  [
    "listEnvironments",
    (c) => c.listEnvironments({ name: "Maze", include_platform: true }),
    "GET /api/cli/v1/environments",
    { name: "Maze", include_arena: "true" },
    null,
    { data: { Maze: { v1: { validated: true, profiled: false } } } },
    { Maze: { v1: { validated: true, profiled: false } } },
  ],
  [
    "environmentExists",
    (c) => c.environmentExists("Maze", "v1"),
    "GET /api/cli/v1/environments/exists",
    { name: "Maze", version: "v1" },
    null,
    { data: { exists: true } },
    true,
  ],
  [
    "listExperiments",
    (c) => c.listExperiments("poles"),
    "GET /api/cli/v1/experiments/list",
    { project: "poles" },
    null,
    { data: [{ experiment_name: "poles-1" }] },
    [{ experiment_name: "poles-1" }],
  ],
  [
    "resumeExperiment",
    (c) => c.resumeExperiment("poles-1", 2000),
    "POST /api/cli/v1/experiments/jobs/resume",
    {},
    { experiment_name: "poles-1", max_steps: 2000 },
    { data: { experiment_id: "e1" } },
    { experiment_id: "e1" },
  ],
  [
    "stopExperiment",
    (c) => c.stopExperiment("poles-1"),
    "POST /api/cli/v1/experiments/jobs/stop",
    {},
    { experiment_name: "poles-1" },
    { status: 204, body: "" },
    undefined,
  ],
  [
    "listCheckpoints",
    (c) => c.listCheckpoints("poles-1"),
    "GET /api/cli/v1/experiments/jobs/checkpoints",
    { experiment_name: "poles-1" },
    null,
    { data: [{ name: "checkpoint-1", global_step: 5 }] },
    [{ name: "checkpoint-1", global_step: 5 }],
  ],
  [
    "listMetrics",
    (c) => c.listMetrics("poles-1"),
    "GET /api/cli/v1/experiments/metrics",
    { experiment_name: "poles-1" },
    null,
    { data: ["eval/best_fitness"] },
    ["eval/best_fitness"],
  ],
  [
    "listMetrics with details",
    (c) => c.listMetrics("poles-1", { project: "poles", details: true }),
    "GET /api/cli/v1/experiments/metrics",
    { experiment_name: "poles-1", project: "poles", details: "true" },
    null,
    { data: { experiment_id: "e1", metrics: [] } },
    { experiment_id: "e1", metrics: [] },
  ],
  [
    "downloadMetrics",
    (c) => c.downloadMetrics("poles-1", ["train/loss"]),
    "GET /api/cli/v1/experiments/metrics",
    { experiment_name: "poles-1", preview_rows: "50000", metric: "train/loss" },
    null,
    { headers: { "Content-Type": "text/csv; charset=utf-8" }, body: "step,loss\n1,0.5\n" },
    "step,loss\n1,0.5\n",
  ],
  [
    "listResources",
    (c) => c.listResources(),
    "GET /api/cli/v1/resources/list",
    {},
    null,
    { body: '[{"id":"cpu-4"}]' },
    [{ id: "cpu-4" }],
  ],
  [
    "listProjects",
    (c) => c.listProjects(),
    "GET /api/cli/v1/projects",
    {},
    null,
    { data: [{ name: "poles", type: "rl", description: "" }] },
    [{ name: "poles", type: "rl", description: "" }],
  ],
  [
    "createProject",
    (c) => c.createProject("poles"),
    "POST /api/cli/v1/projects/create",
    {},
    { name: "poles", description: "", llm_based: false },
    { data: { name: "poles" } },
    { name: "poles" },
  ],
  [
    "deleteProject",
    (c) => c.deleteProject("poles"),
    "DELETE /api/cli/v1/projects/delete",
    {},
    { name: "poles" },
    { data: null },
    undefined,
  ],
];

describe("verbs", () => {
  it.each(VERBS)("%s", async (_, call, route, query, json, answer, result) => {
    await withPlatform(async (platform) => {
      platform.answer(() => answer);
      expect(await call(clientOf(platform))).toEqual(result);
      const [asked] = platform.asked;
      expect(platform.asked).toHaveLength(1);
      expect(asked?.route).toBe(route);
      expect(Object.fromEntries(asked?.query ?? [])).toEqual(query);
      expect(asked?.json).toEqual(json);
    });
  });

  it("names the client's project where a call names none", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ data: [] }));
      const client = clientOf(platform, { project: "maze" });
      await client.listExperiments();
      await client.listMetrics("poles-1");
      await client.listExperiments("poles");
      expect(platform.asked.map(({ query }) => query.get("project"))).toEqual(["maze", "maze", "poles"]);
      await expect(clientOf(platform).listExperiments()).rejects.toThrow(RemoteConfigError);
      expect(platform.asked).toHaveLength(3);
    });
  });

  it("repeats the name of each metric in the query", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ headers: { "Content-Type": "text/csv" }, body: "" }));
      await clientOf(platform).downloadMetrics("poles-1", ["a", "b"], { preview_rows: 3 });
      expect(platform.asked[0]?.query.getAll("metric")).toEqual(["a", "b"]);
      expect(platform.asked[0]?.query.get("preview_rows")).toBe("3");
    });
  });

  it("puts paths behind those of the address", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ status: 404, body: "nothing here" }));
      const client = clientOf(platform, { base_url: `${platform.base_url}/rl/` });
      await expect(client.listProjects()).rejects.toThrow("nothing here");
      expect(platform.asked[0]?.route).toBe("GET /rl/api/cli/v1/projects");
      platform.objections.length = 0;
    });
  });

  it.each([
    ["an answer of another shape", { data: { name: "poles" } }, "has an unexpected format"],
    ["no JSON", { body: "<html>" }, "has an unexpected format"],
  ])("refuses %s", async (_, answer, message) => {
    await withPlatform(async (platform) => {
      platform.answer(() => answer);
      const listed = clientOf(platform).listProjects();
      await expect(listed).rejects.toThrow(RemoteApiError);
      await expect(clientOf(platform).listProjects()).rejects.toThrow(message);
    });
  });

  it("refuses metrics that are no CSV", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ data: [] }));
      const rows = clientOf(platform).downloadMetrics("poles-1", ["a"]);
      await expect(rows).rejects.toThrow("expected text/csv, found application/json");
    });
  });

  it("refuses arguments that are none", async () => {
    const client = new RemoteClient({ api_key: KEY });
    await expect(client.stopExperiment("")).rejects.toThrow(TypeError);
    await expect(client.resumeExperiment("poles-1", 0)).rejects.toThrow(RangeError);
    // @ts-expect-error -- a name is a string.
    await expect(client.listCheckpoints(5)).rejects.toThrow("experiment_name: found 5");
    // @ts-expect-error -- an unknown option.
    await expect(client.createProject("p", { descripton: "" })).rejects.toThrow(
      'did you mean "description"?',
    );
  });
});

describe("downloads", () => {
  const CHECKPOINTS = [
    { name: "checkpoint-1", download_url: "/files/1.zip" },
    { name: "checkpoint-2", download_url: "/files/2.zip" },
  ];

  it("fetches the newest checkpoint, or the one that is named", async () => {
    await withPlatform(async (platform) => {
      platform.answer(({ route }) =>
        route.includes("/files/") ? { body: new Uint8Array([80, 75, 1]) } : { data: CHECKPOINTS },
      );
      const client = clientOf(platform);
      const zip = new Uint8Array([80, 75, 1]);
      expect(await client.downloadCheckpoint("poles-1")).toEqual({ name: "checkpoint-2", zip });
      await client.downloadCheckpoint("poles-1", "checkpoint-1");
      const files = platform.asked.map(({ route }) => route).filter((route) => route.includes("/files/"));
      expect(files).toEqual(["GET /files/2.zip", "GET /files/1.zip"]);
      await expect(client.downloadCheckpoint("poles-1", "checkpoint-3")).rejects.toThrow(
        'poles-1 has no checkpoint "checkpoint-3"\n  checkpoints: checkpoint-1, checkpoint-2',
      );
    });
  });

  it("gives no key to another host", async () => {
    await withPlatform(async (platform) => {
      await withPlatform(async (storage) => {
        const download_url = `${storage.base_url}/files/2.zip`;
        platform.answer(() => ({ data: [{ name: "checkpoint-2", download_url }] }));
        await expect(clientOf(platform).downloadCheckpoint("poles-1")).rejects.toThrow(RemoteAuthError);
        expect(storage.asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
      });
    });
  });

  it("refuses checkpoints without an address, and addresses of other kinds", async () => {
    await withPlatform(async (platform) => {
      platform.answer((_, count) => ({
        data: [{ name: "c", ...(count > 1 && { download_url: "file:///etc/passwd" }) }],
      }));
      await expect(clientOf(platform).downloadCheckpoint("poles-1")).rejects.toThrow("download_url");
      await expect(clientOf(platform).downloadCheckpoint("poles-1")).rejects.toThrow("download_url");
    });
  });

  it("fetches one file of a checkpoint", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ body: new Uint8Array([1, 2]) }));
      const file = clientOf(platform).downloadCheckpointFile("poles-1", "generation_2", "elite.safetensors");
      expect(await file).toEqual(new Uint8Array([1, 2]));
      expect(platform.asked[0]?.route).toBe(
        "GET /v1/runs/poles-1/checkpoints/generation_2/elite.safetensors",
      );
    });
  });

  it("fetches the elite by the experiment's name, whatever is in it", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ body: new Uint8Array([1, 2, 3]) }));
      expect(await clientOf(platform).downloadElite("poles 1/2")).toEqual(new Uint8Array([1, 2, 3]));
      expect(platform.asked[0]?.route).toBe("GET /v1/runs/poles%201%2F2/elite.safetensors");
    });
  });

  it("tells of a file that breaks off", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({
        body: new Uint8Array(10),
        headers: { "Content-Length": "20" },
        after: "cut",
      }));
      await expect(clientOf(platform).downloadElite("poles-1")).rejects.toMatchObject({ status_code: 0 });
    });
  });
});

describe("a run", () => {
  it("is read, held and let go on by its id or name", async () => {
    await withPlatform(async (platform) => {
      platform.answer(({ route }) => ({ data: route.startsWith("GET") ? { state: "running" } : {} }));
      const client = clientOf(platform);
      expect(await client.getExperiment("poles 1")).toEqual({ state: "running" });
      await client.pauseExperiment("poles 1");
      await client.continueExperiment("poles 1");
      expect(platform.asked.map(({ route }) => route)).toEqual([
        "GET /v1/runs/poles%201",
        "POST /v1/runs/poles%201/pause",
        "POST /v1/runs/poles%201/resume",
      ]);
      await expect(client.pauseExperiment("")).rejects.toThrow("pauseExperiment: experiment");
    });
  });

  it("is trained by workers, which are listed", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => ({ data: [{ host: "a", cores: 4 }] }));
      expect(await clientOf(platform).listWorkers()).toEqual([{ host: "a", cores: 4 }]);
    });
  });
});
