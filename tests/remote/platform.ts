/** A strict fake platform, written from the published API (paths, fields, streams). */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const KEY = "rk_test_secret";

export interface Asked {
  /** Method and path, such as "GET /api/cli/v1/projects". */
  readonly route: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** JSON body; null if there is none, or the body is a form. */
  readonly json: Readonly<Record<string, unknown>> | null;
  readonly form: FormData | null;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Data of the response envelope. */
  readonly data?: unknown;
  /** Raw body, instead of `data`. */
  readonly body?: string | Uint8Array;
  /** Whether the connection is cut after the body, or stays open. */
  readonly after?: "cut" | "open";
  /** Called with the connection that stays open, to write more. */
  readonly opened?: (connection: OpenConnection) => void;
}

export interface OpenConnection {
  write(text: string): void;
  end(): void;
  cut(): void;
  /** Calls `listener` when the connection is closed by either side. */
  onClose(listener: () => void): void;
}

interface Rule {
  readonly query?: readonly string[];
  /** All fields that a JSON body may have. */
  readonly fields?: readonly string[];
}

const API = "/api/cli/v1";
const SUBMIT = `POST ${API}/experiments/jobs/submit`;
const EXPERIMENT = "[^/]+";

/** All paths, with the parameters that they accept. */
const RULES: readonly (readonly [RegExp, Rule])[] = (
  [
    ["GET /api/users/current", {}],
    ["GET /api/users/credits", {}],
    [`GET ${API}/environments`, { query: ["name", "include_arena"] }],
    [`GET ${API}/environments/exists`, { query: ["name", "version"] }],
    [SUBMIT, { fields: ["manifest", "resource_id", "num_nodes", "project", "experiment_name"] }],
    [`GET ${API}/experiments/list`, { query: ["project"] }],
    [`POST ${API}/experiments/jobs/resume`, { fields: ["experiment_name", "max_steps"] }],
    [`POST ${API}/experiments/jobs/stop`, { fields: ["experiment_name"] }],
    [`GET ${API}/experiments/jobs/checkpoints`, { query: ["experiment_name"] }],
    [
      `GET ${API}/experiments/metrics`,
      { query: ["experiment_name", "project", "details", "preview_rows", "metric"] },
    ],
    [`GET ${API}/resources/list`, {}],
    [`GET ${API}/projects`, {}],
    [`POST ${API}/projects/create`, { fields: ["name", "description", "llm_based"] }],
    [`DELETE ${API}/projects/delete`, { fields: ["name"] }],
    [`GET /v1/runs/${EXPERIMENT}`, {}],
    [`POST /v1/runs/${EXPERIMENT}/(pause|resume)`, {}],
    [`GET /v1/runs/${EXPERIMENT}/checkpoints/[\\w.]+/[\\w.]+`, {}],
    ["GET /v1/workers", {}],
    [`GET /v1/runs/${EXPERIMENT}/events`, {}],
    [`GET /v1/runs/${EXPERIMENT}/elite\\.safetensors`, {}],
    ["GET /files/[\\w.-]+", {}],
  ] as const
).map(([route, rule]) => [new RegExp(`^${route}$`), rule]);

const FORM_PARTS = [
  "manifest",
  "project",
  "resource_id",
  "num_nodes",
  "experiment_name",
  "completion",
  "reward_file",
];

/** The fault of a request, or null if it is valid. */
function objection({ route, query, headers, json, form }: Asked): string | null {
  const rule = RULES.find(([pattern]) => pattern.test(route))?.[1];
  if (!rule) return `there is no ${route}`;
  const unknown = [...query.keys()].find((key) => !rule.query?.includes(key));
  if (unknown !== undefined) return `${route} takes no ${unknown}`;
  if (headers.accept === undefined) return "no Accept";
  if (route === SUBMIT && !/^[0-9a-f]{32}$/.test(String(headers["idempotency-key"])))
    return "no Idempotency-Key";
  if (form) {
    if (route !== SUBMIT) return `${route} takes no form`;
    const part = [...form.keys()].find((key) => !FORM_PARTS.includes(key));
    return part === undefined ? null : `the form has ${part}`;
  }
  const fields = Object.keys(json ?? {}).sort();
  const wanted = [...(rule.fields ?? [])].sort();
  return fields.join() === wanted.join() ? null : `${route} has the fields ${fields}, not ${wanted}`;
}

export interface Platform {
  readonly base_url: string;
  readonly asked: Asked[];
  /** Faults of requests. There should be none. */
  readonly objections: string[];
  /** Sets the answers to all requests from now on. `count` is 1 for the first request. */
  answer(answer: (asked: Asked, count: number) => Answer): void;
  close(): Promise<void>;
}

function send(response: ServerResponse, { status = 200, headers, data, body, after, opened }: Answer): void {
  const content = body ?? JSON.stringify({ ok: status < 400, data });
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  if (after === undefined) {
    response.end(content);
    return;
  }
  response.write(content, () => {
    if (after === "cut") response.destroy();
  });
  opened?.({
    write: (text) => void response.write(text),
    end: () => void response.end(),
    cut: () => void response.destroy(),
    onClose: (listener) => void response.on("close", listener),
  });
}

async function startPlatform(): Promise<Platform> {
  const asked: Asked[] = [];
  const objections: string[] = [];
  let [answer, count] = [(_asked: Asked, _count: number): Answer => ({ data: null }), 0];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => void handle(Buffer.concat(parts)));
    const handle = async (body: Buffer): Promise<void> => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://x");
      const type = request.headers["content-type"] ?? "";
      const one: Asked = {
        route: `${request.method} ${pathname}`,
        query: searchParams,
        headers: request.headers,
        json: type === "application/json" ? JSON.parse(body.toString()) : null,
        form: type.startsWith("multipart/")
          ? await new Response(new Uint8Array(body), { headers: { "Content-Type": type } }).formData()
          : null,
      };
      asked.push(one);
      if (request.headers.authorization !== `Bearer ${KEY}`) {
        send(response, { status: 401, body: JSON.stringify({ message: "no such key" }) });
        return;
      }
      const wrong = objection(one);
      if (wrong !== null) objections.push(wrong);
      const given = answer(one, ++count);
      if (given.after === "cut" && given.body === undefined) response.destroy();
      else send(response, given);
    };
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    base_url: `http://127.0.0.1:${port}`,
    asked,
    objections,
    answer: (next) => {
      [answer, count] = [next, 0];
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Runs a test with a platform, and asserts that all requests were valid. */
export async function withPlatform(work: (platform: Platform) => Promise<void>): Promise<void> {
  const platform = await startPlatform();
  try {
    await work(platform);
  } finally {
    await platform.close();
  }
  if (platform.objections.length > 0) throw new Error(platform.objections.join("\n"));
}

/** Formats objects as newline-delimited JSON. */
export const ndjson = (...lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

export const TAKEN = { experiment_id: "e1", experiment_name: "poles-1" };

/** The response stream of an accepted job. */
export const ACCEPTED: Answer = {
  headers: { "Content-Type": "application/x-ndjson" },
  body: ndjson(
    { kind: "status", stage: "submit", status: "validating", message: "looking at it" },
    { kind: "status", stage: "submit", status: "queued", message: "in the queue", detail: {} },
    { kind: "status", stage: "submit", status: "completed", message: "done", detail: TAKEN },
  ),
};
