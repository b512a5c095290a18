/** A key that is bound to a project reaches nothing of others, by any route. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { httpTurns } from "../../platform/src/artifacts/turnStores.ts";
import { Database } from "../../platform/src/database/Database.ts";
import { allRoutes } from "../../platform/src/http/routes/index.ts";
import type { Services } from "../../platform/src/http/Services.ts";
import { WorkerTable } from "../../platform/src/worker/WorkerTable.ts";
import { VERSION } from "../../src/specs/messages.ts";
import { cartPole } from "./support/cartPole.ts";
import { type Asked, ask, linesOf } from "./support/client.ts";
import { TestPlatform } from "./support/platform.ts";
import { artifactsOf } from "./support/supervisor.ts";

const API = "/api/cli/v1";

let platform: TestPlatform;
let database: Database;
let admin: string;
/** A key with all scopes, bound to the project "mine". */
let bound: string;
/** A run, by its project. */
const runs: Record<"hidden" | "mine", string> = { hidden: "", mine: "" };
/** A play of the key of all projects ("hidden"), and one of the bound key. */
const plays: Record<"hidden" | "mine", string> = { hidden: "", mine: "" };
/** The artifact of a run's checkpoint, by the run's project. */
const artifacts: Record<"hidden" | "mine", string> = { hidden: "", mine: "" };

async function submitTo(project: "hidden" | "mine"): Promise<void> {
  await ask(platform, "POST", `${API}/projects/create`, { key: admin, body: { name: project } });
  const body = { manifest: cartPole, project, experiment_name: `${project} run` };
  const answer = await ask(platform, "POST", `${API}/experiments/jobs/submit`, { key: admin, body });
  const run = linesOf(answer.text).at(-1)?.detail.experiment_id ?? "";
  const bytes = new TextEncoder().encode(`weights of ${project}`);
  const sha256 = await artifactsOf(platform).put(bytes);
  const artifact = { sha256, size: bytes.length };
  await database.query(
    "INSERT INTO checkpoints (run, generation, global_step, attempt, files) VALUES ($1, 1, 100, 1, $2)",
    [run, JSON.stringify({ "elite.safetensors": artifact })],
  );
  await database.query("UPDATE runs SET elite = $2 WHERE id = $1", [run, JSON.stringify(artifact)]);
  const workers = new WorkerTable(database);
  await workers.register({
    ...{ id: `worker of ${project}`, pid: 7, host: "a", cores: 1, device: "cpu", version: VERSION },
    queue: "database",
  });
  await workers.work(`worker of ${project}`, run);
  [runs[project], artifacts[project]] = [run, sha256];
}

beforeAll(async () => {
  platform = await TestPlatform.start();
  database = new Database({ url: platform.postgres.url, log: () => undefined, connections: 1 });
  admin = await platform.key("admin");
  await submitTo("hidden");
  await submitTo("mine");
  // Heartbeats in the future, so that the workers count as alive however long the tests take.
  await database.query("UPDATE workers SET seen_at = now() + interval '1 day'");
  const scopes = ["read", "submit", "worker"] as const;
  bound = await platform.server.keys.create({ name: "bound", scopes, project: "mine" });
  for (const [project, key] of [
    ["hidden", admin],
    ["mine", bound],
  ] as const) {
    const { text } = await ask(platform, "POST", "/v1/plays", { key, body: playOf(project) });
    plays[project] = JSON.parse(text).data.id;
  }
});

afterAll(async () => {
  await database?.close();
  await platform?.close();
});

type Project = keyof typeof runs;

interface Aimed extends Omit<Asked, "key"> {
  readonly path: string;
}

const bytes = (text: string): Asked => ({
  body: text,
  headers: { "Content-Type": "application/octet-stream" },
});

const playOf = (title: string) => ({ title, html: '<html><head></head><body id="play"></body></html>' });

const onTurns = (project: Project): string =>
  `/v1/runs/${runs[project]}/attempts/1/artifacts/${artifacts[project]}`;

/** How each route is called to reach something of a project, in an order in which all succeed. A new route needs an entry. */
const CALLS: Readonly<Record<string, (project: Project) => Aimed>> = {
  "GET /api/users/current": () => ({ path: "/api/users/current" }),
  "GET /api/users/credits": () => ({ path: "/api/users/credits" }),
  [`GET ${API}/environments`]: () => ({ path: `${API}/environments` }),
  [`GET ${API}/environments/exists`]: () => ({ path: `${API}/environments/exists?name=CartPole-v1` }),
  [`GET ${API}/resources/list`]: () => ({ path: `${API}/resources/list` }),
  "GET /v1/workers": () => ({ path: "/v1/workers" }),
  "PUT /v1/datasets/:sha256": (project) => ({
    path: `/v1/datasets/${artifacts[project]}?project=${project}`,
    ...bytes(`weights of ${project}`),
  }),
  [`POST ${API}/experiments/jobs/submit`]: (project) => ({
    path: `${API}/experiments/jobs/submit`,
    body: { manifest: cartPole, project },
  }),
  [`GET ${API}/experiments/list`]: (project) => ({ path: `${API}/experiments/list?project=${project}` }),
  [`GET ${API}/experiments/jobs/checkpoints`]: (project) => ({
    path: `${API}/experiments/jobs/checkpoints?experiment_name=${project}%20run`,
  }),
  [`GET ${API}/experiments/metrics`]: (project) => ({
    path: `${API}/experiments/metrics?experiment_name=${runs[project]}&project=${project}`,
  }),
  "GET /v1/runs/:id": (project) => ({ path: `/v1/runs/${runs[project]}` }),
  "GET /v1/runs/:id/checkpoints/:file": (project) => ({
    path: `/v1/runs/${project}%20run/checkpoints/generation_1.zip`,
  }),
  "GET /v1/runs/:id/checkpoints/:checkpoint/:file": (project) => ({
    path: `/v1/runs/${runs[project]}/checkpoints/generation_1/elite.safetensors`,
  }),
  "GET /v1/runs/:id/elite.safetensors": (project) => ({
    path: `/v1/runs/${runs[project]}/elite.safetensors`,
  }),
  "POST /v1/runs/:id/pause": (project) => ({ path: `/v1/runs/${runs[project]}/pause` }),
  [`POST ${API}/experiments/jobs/stop`]: (project) => ({
    path: `${API}/experiments/jobs/stop`,
    body: { experiment_name: `${project} run` },
  }),
  // The stream of a stopped run ends.
  "GET /v1/runs/:id/events": (project) => ({ path: `/v1/runs/${runs[project]}/events` }),
  [`POST ${API}/experiments/jobs/resume`]: (project) => ({
    path: `${API}/experiments/jobs/resume`,
    body: { experiment_name: runs[project], max_steps: 100_000 },
  }),
  "POST /v1/runs/:id/resume": (project) => ({ path: `/v1/runs/${runs[project]}/resume` }),
  "PUT /v1/runs/:id/attempts/:attempt/artifacts/:sha256": (project) => ({
    path: onTurns(project),
    ...bytes(`weights of ${project}`),
  }),
  "GET /v1/runs/:id/attempts/:attempt/artifacts/:sha256": (project) => ({ path: onTurns(project) }),
  "DELETE /v1/runs/:id/attempts/:attempt/artifacts/:sha256": (project) => ({ path: onTurns(project) }),
  "GET /v1/artifacts/:sha256": (project) => ({ path: `/v1/artifacts/${artifacts[project]}` }),
  // Other bytes of the same size: accepted, unread, only where the caller may know that the artifact is stored.
  "PUT /v1/artifacts/:sha256": (project) => ({
    path: `/v1/artifacts/${artifacts[project]}`,
    ...bytes(`WEIGHTS of ${project}`),
  }),
  "POST /v1/plays": (project) => ({ path: "/v1/plays", body: playOf(project) }),
  "DELETE /v1/plays/:id": (project) => ({ path: `/v1/plays/${plays[project]}` }),
  [`GET ${API}/projects`]: () => ({ path: `${API}/projects` }),
  [`POST ${API}/projects/create`]: (project) => ({
    path: `${API}/projects/create`,
    body: { name: `${project} too` },
  }),
  [`DELETE ${API}/projects/delete`]: (project) => ({
    path: `${API}/projects/delete`,
    body: { name: `${project} too` },
  }),
};

// The routes are listed, not served.
const routes = allRoutes({} as Services).map((route) => ({
  ...route,
  name: `${route.method} ${route.path}`,
}));

const call = (name: string, project: Project, key: string) => {
  const { path, ...asked } = CALLS[name]?.(project) ?? { path: "/" };
  return ask(platform, name.split(" ")[0] ?? "", path, { key, ...asked });
};

it("every route has a call here, and a stated reach", () => {
  expect(routes.map(({ name }) => name).sort()).toEqual(Object.keys(CALLS).sort());
  for (const { reach } of routes) expect(["open", "project", "platform"]).toContain(reach);
});

const stored = () =>
  database.query("SELECT state, desired, launch, attempt FROM runs WHERE id = $1", [runs.hidden]);

/** The status of a call of a bound key that aims at another project. */
function refusal(name: string, reach: string): number {
  if (reach === "platform") return 403;
  if (/submit$|datasets/.test(name) || /:id|jobs|metrics/.test(name)) return 404;
  if (name === "GET /v1/artifacts/:sha256") return 404;
  return name === "PUT /v1/artifacts/:sha256" ? 422 : 200;
}

describe.each(routes)("$name", ({ name, reach }) => {
  it("shows and changes nothing of another project", async () => {
    const before = await stored();
    const { status, text } = await call(name, "hidden", bound);
    expect(status).toBe(refusal(name, reach));
    const asked = decodeURIComponent(JSON.stringify(CALLS[name]?.("hidden")));
    const secrets = [runs.hidden, artifacts.hidden, "hidden run", "weights of hidden"];
    expect(secrets.filter((secret) => text.includes(secret) && !asked.includes(secret))).toEqual([]);
    expect(await stored()).toEqual(before);
  });
});

it("none of this was refused for another reason: a key of all projects may do it", async () => {
  for (const name of Object.keys(CALLS)) {
    const { status } = await call(name, "hidden", admin);
    expect([name, status]).toEqual([name, 200]);
  }
});

it("a bound key does all of it in its own project", async () => {
  for (const name of Object.keys(CALLS)) {
    const { status } = await call(name, "mine", bound);
    const isPlatform = routes.some((route) => route.name === name && route.reach === "platform");
    expect([name, status]).toEqual([name, isPlatform ? 403 : 200]);
  }
});

it("workers show the runs of the key's project alone", async () => {
  const { data } = await ask(platform, "GET", "/v1/workers", { key: bound });
  expect(data).toMatchObject([
    { id: "worker of hidden", run: null },
    { id: "worker of mine", run: runs.mine },
  ]);
});

it("artifacts of a run that does not exist are neither taken nor there", async () => {
  const key = await platform.key("worker");
  const options = { url: platform.url, key, log: () => undefined, signal: new AbortController().signal };
  const store = httpTurns(options)({ run: randomUUID(), attempt: 1 });
  await expect(store.put(new TextEncoder().encode("turn"))).rejects.toThrow("404");
  await expect(store.get(artifacts.hidden)).rejects.toThrow("404");
  await expect(store.remove(artifacts.hidden)).rejects.toThrow("404");
});

it("a name that two projects have is an error that lists both, unless the key or the id decides", async () => {
  for (const project of ["hidden", "mine"] as const) {
    const body = { manifest: cartPole, project, experiment_name: "twin" };
    await ask(platform, "POST", `${API}/experiments/jobs/submit`, { key: admin, body });
  }
  const refused = await ask(platform, "GET", "/v1/runs/twin", { key: admin });
  expect(refused.status).toBe(409);
  const [, first = "", second = ""] =
    /found "twin" 2 times; give an id: (\S+) in the project "hidden", (\S+) in the project "mine"/.exec(
      refused.message,
    ) ?? [];
  const body = { experiment_name: "twin" };
  expect((await ask(platform, "POST", `${API}/experiments/jobs/stop`, { key: admin, body })).status).toBe(
    409,
  );
  const projectOf = async (name: string, key: string) =>
    (await ask(platform, "GET", `/v1/runs/${name}`, { key })).data;
  expect(await projectOf(first, admin)).toMatchObject({ project: "hidden" });
  expect(await projectOf(second, admin)).toMatchObject({ project: "mine" });
  expect(await projectOf("twin", bound)).toMatchObject({ experiment_id: second });
  expect((await ask(platform, "GET", `/v1/runs/${first}`, { key: bound })).status).toBe(404);
});

it("a worker does not start with a bound key, since it trains runs of all projects", async () => {
  const worker = platform.worker(bound);
  expect(await once(worker.process, "exit")).toEqual([2, null]);
  expect(worker.log()).toContain('has bound the key to the project "mine", and workers train runs of all');
});
