/** A platform of the tests: strict, written from what is published of the interface (paths, fields, streams). */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export const KEY = "rk_test_secret";

export interface Asked {
  /** Method and path, such as "GET /api/cli/v1/projects". */
  readonly route: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** JSON that was sent; null for none, and for a form. */
  readonly json: Readonly<Record<string, unknown>> | null;
  readonly form: FormData | null;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The data of the envelope. */
  readonly data?: unknown;
  /** In place of `data`: the body as it is. */
  readonly body?: string | Uint8Array;
  /** The connection is cut after the body, or stays open. */
  readonly after?: "cut" | "open";
  /** Given the connection that stays open, to write more. */
  readonly opened?: (connection: OpenConnection) => void;
}

export interface OpenConnection {
  write(text: string): void;
  end(): void;
  cut(): void;
  /** Told when it is closed, whoever closed it. */
  onClose(listener: () => void): void;
}

interface Rule {
  readonly query?: readonly string[];
  /** Fields of a JSON body, all of them. */
  readonly fields?: readonly string[];
}

const API = "/api/cli/v1";
const SUBMIT = `POST ${API}/experiments/jobs/submit`;
const EXPERIMENT = "[^/]+";

/** Every path that there is, with what it takes. */
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

/** What is wrong with a request; null for nothing. */
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
  /** What was wrong with requests: none should be. */
  readonly objections: string[];
  /** Answers each request from here on, `count` being 1 for the first. */
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

/** Runs a test with a platform, and checks that nothing was asked that it does not take. */
export async function withPlatform(work: (platform: Platform) => Promise<void>): Promise<void> {
  const platform = await startPlatform();
  try {
    await work(platform);
  } finally {
    await platform.close();
  }
  if (platform.objections.length > 0) throw new Error(platform.objections.join("\n"));
}

/** Lines of JSON. */
export const ndjson = (...lines: readonly object[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

export const TAKEN = { experiment_id: "e1", experiment_name: "poles-1" };

/** The stream of a job that is taken. */
export const ACCEPTED: Answer = {
  headers: { "Content-Type": "application/x-ndjson" },
  body: ndjson(
    { kind: "status", stage: "submit", status: "validating", message: "looking at it" },
    { kind: "status", stage: "submit", status: "queued", message: "in the queue", detail: {} },
    { kind: "status", stage: "submit", status: "completed", message: "done", detail: TAKEN },
  ),
};
