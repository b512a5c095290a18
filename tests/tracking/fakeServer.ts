/** Servers of the tests: strict ones, written from what is published of the services. */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The connection is cut instead. */
  readonly gone?: boolean;
}

export interface FakeServer {
  readonly address: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

async function read(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of request) text += String(part);
  return text;
}

/** A server that answers each request as `answer` says. */
export async function fakeServer(answer: (asked: Asked, count: number) => Answer): Promise<FakeServer> {
  const asked: Asked[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url = "", headers } = request;
    const one = { method, url, authorization: headers.authorization, headers, body: await read(request) };
    asked.push(one);
    const { status = 200, headers: told = {}, body = "", gone = false } = answer(one, asked.length);
    if (gone) {
      response.destroy();
      return;
    }
    response.writeHead(status, told);
    response.end(body);
  };
  const server: Server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Answers of a server that allows the pages of one origin, as browsers ask for it. */
export function allowing(origin: string, asked: Asked, answer: () => Answer): Answer {
  const headers = {
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Allow-Headers": "authorization, content-type",
    "Access-Control-Allow-Methods": "GET, POST, PUT",
  };
  const told = asked.method === "OPTIONS" ? { status: 204 } : answer();
  return { ...told, headers: { ...told.headers, ...headers } };
}

/** What a run has on the fake Weights & Biases. */
export class FakeWandb {
  readonly lines: string[] = [];
  readonly variables: Readonly<Record<string, unknown>>[] = [];
  exit: number | null = null;
  /** The run that goes on, by its name; its lines are those in `lines`. */
  known: string | null = null;
  /** Files by name, and their places, at which no key may come. */
  readonly files = new Map<string, string>();
  #stream = "";
  #run = "";

  /** @throws Error for what the service would not take. */
  answer({ method, url, authorization, body, headers }: Asked, key: string): Answer {
    if (method === "PUT" && url.startsWith("/storage/")) {
      if (authorization !== undefined || headers["x-signed"] !== "yes: it is")
        return { status: 400, body: "a key, or no header, at the place of a file" };
      this.files.set(decodeURIComponent(url.slice("/storage/".length)), body);
      return {};
    }
    if (authorization !== `Basic ${Buffer.from(`api:${key}`).toString("base64")}`) return { status: 401 };
    if (method !== "POST") return { status: 405 };
    if (url === "/graphql") return this.#graphql(JSON.parse(body));
    if (url !== this.#stream) return { status: 404 };
    // The service reads Python's JSON, which has bare NaN and Infinity, inside of texts only.
    const { files, complete, exitcode } = JSON.parse(body);
    if (complete === true) {
      this.exit = exitcode;
      return { body: "{}" };
    }
    const { offset, content } = files["wandb-history.jsonl"];
    if (offset > this.lines.length)
      return { status: 400, body: `gap: offset ${offset} of ${this.lines.length}` };
    for (const [i, line] of content.entries()) {
      const before = this.lines[offset + i];
      if (before !== undefined && before !== line) return { status: 400, body: `line ${offset + i} changed` };
      this.lines[offset + i] = line;
    }
    if (files["wandb-summary.json"].content.length !== 1) return { status: 400, body: "no summary" };
    return { body: "{}" };
  }

  get rows(): Record<string, number | string>[] {
    return this.lines.map((line) => JSON.parse(line.replaceAll(/: (NaN|-?Infinity)/g, ': "$1"')));
  }

  #graphql({ query, variables }: { query: string; variables: Record<string, unknown> }): Answer {
    if (query.includes("viewer")) return { body: JSON.stringify({ data: { viewer: { entity: "team" } } }) };
    if (query.includes("historyLineCount")) {
      if (!query.includes("missingOk: true")) return { status: 400, body: "no missingOk" };
      const { name, project, entity } = variables;
      const found = name === this.known && project === "rlkit" && entity === "team";
      const bucket = found ? { name, historyLineCount: this.lines.length } : null;
      return { body: JSON.stringify({ data: { model: { bucket } } }) };
    }
    if (query.includes("createRunFiles")) {
      const { entity, project, run, files } = variables as {
        run: string;
        files: string[];
      } & typeof variables;
      if (`${entity}/${project}/${run}` !== this.#run) return { status: 400, body: "another run" };
      const places = files.map((name) => ({ name, uploadUrl: `/storage/${encodeURIComponent(name)}` }));
      const createRunFiles = { uploadHeaders: ["X-Signed: yes: it is"], files: places };
      return { body: JSON.stringify({ data: { createRunFiles } }) };
    }
    this.variables.push(variables);
    this.#run = `team/${variables.project}/${variables.name}`;
    this.#stream = `/files/team/${variables.project}/${variables.name}/file_stream`;
    JSON.parse(String(variables.config));
    const bucket = { name: variables.name, project: { name: variables.project, entity: { name: "team" } } };
    return { body: JSON.stringify({ data: { upsertBucket: { bucket } } }) };
  }
}

/** What a run has on the fake MLflow. */
export class FakeMlflow {
  readonly metrics = new Map<string, { value: number | string; timestamp: number; step: number }[]>();
  readonly params = new Map<string, string>();
  /** Artifacts by path; where the server stands before no store, null. */
  artifacts: Map<string, string> | null = new Map();
  experiment: string | null = null;
  status = "";

  answer({ method, url, body }: Asked): Answer {
    const { pathname, searchParams } = new URL(url, "http://x");
    const path = pathname.replace("/api/2.0/mlflow/", "");
    if (method === "GET" && path === "experiments/get-by-name")
      return this.experiment === searchParams.get("experiment_name")
        ? { body: JSON.stringify({ experiment: { experiment_id: "7" } }) }
        : { status: 404, body: JSON.stringify({ error_code: "RESOURCE_DOES_NOT_EXIST" }) };
    const artifact = /^\/api\/2\.0\/mlflow-artifacts\/artifacts\/7\/r1\/artifacts\/(.+)$/.exec(pathname)?.[1];
    if (method === "PUT" && artifact && this.artifacts) {
      this.artifacts.set(artifact, body);
      return { body: "{}" };
    }
    if (method !== "POST") return { status: 405 };
    if (body.length > 1_000_000) return { status: 413 };
    const told = JSON.parse(body);
    switch (path) {
      case "experiments/create":
        this.experiment = told.name;
        return { body: JSON.stringify({ experiment_id: "7" }) };
      case "runs/create":
        if (told.start_time < 1.7e12) return { status: 400, body: "start_time is in milliseconds" };
        return {
          body: JSON.stringify({
            run: {
              info: {
                run_id: "r1",
                artifact_uri: this.artifacts ? "mlflow-artifacts:/7/r1/artifacts" : "s3://bucket/7",
              },
            },
          }),
        };
      case "runs/update":
        this.status = told.status;
        return { body: "{}" };
      case "runs/log-batch":
        return this.#batch(told);
      default:
        return { status: 404 };
    }
  }

  #batch({ metrics = [], params = [] }: { metrics?: never[]; params?: never[] }): Answer {
    if (metrics.length > 1000 || params.length > 100 || metrics.length + params.length > 1000)
      return { status: 400, body: "too many" };
    for (const { key, value } of params as { key: string; value: string }[]) {
      if (this.params.has(key) && this.params.get(key) !== value)
        return { status: 400, body: `param ${key} changed` };
      this.params.set(key, value);
    }
    for (const one of metrics as { key: string; value: number | string; timestamp: number; step: number }[]) {
      if (typeof one.value !== "number" && !["NaN", "Infinity", "-Infinity"].includes(one.value))
        return { status: 400, body: `value of ${one.key}` };
      const known = this.metrics.get(one.key) ?? [];
      const again = known.find(({ step, timestamp }) => step === one.step && timestamp === one.timestamp);
      if (!again) known.push(one);
      this.metrics.set(one.key, known);
    }
    return { body: "{}" };
  }
}
