/** An HTTP client of the platform. */
import { z } from "zod";
import type { TestPlatform } from "./platform.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Data of the response envelope; undefined for an error response. */
  readonly data: unknown;
  /** Message of an error response. */
  readonly message: string;
}

const envelope = z.object({ ok: z.boolean(), data: z.unknown().optional(), message: z.string().default("") });

export interface Asked {
  readonly key?: string;
  /** Body, sent as JSON; text and forms are sent unchanged. */
  readonly body?: object | string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function ask(
  { url }: Pick<TestPlatform, "url">,
  method: string,
  path: string,
  { key, body, headers }: Asked = {},
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const content = body === undefined || isForm || typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...(content === undefined || isForm ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  const isJson = response.headers.get("Content-Type")?.startsWith("application/json") === true;
  const { data, message } = isJson ? envelope.parse(JSON.parse(text)) : { data: undefined, message: "" };
  return { status: response.status, headers: response.headers, text, data, message };
}

const lineSchema = z.object({ status: z.string(), detail: z.record(z.string(), z.string()) });

/** Parses the lines of a submission's response stream. */
export const linesOf = (text: string): z.infer<typeof lineSchema>[] =>
  text
    .trim()
    .split("\n")
    .map((line) => lineSchema.parse(JSON.parse(line)));

/** Submits a manifest. @returns the run's ID. */
export async function submit(platform: TestPlatform, key: string, manifest: object): Promise<string> {
  const answer = await ask(platform, "POST", "/api/cli/v1/experiments/jobs/submit", {
    key,
    body: { manifest },
  });
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return linesOf(answer.text).at(-1)?.detail.experiment_id ?? "";
}

export interface StreamedEvent {
  readonly id: number | null;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Events of one connection, until it ends or `signal` is aborted. */
export async function* streamed(
  { url }: Pick<TestPlatform, "url">,
  key: string,
  run: string,
  { after, signal }: { after?: number; signal?: AbortSignal } = {},
): AsyncGenerator<StreamedEvent> {
  const response = await fetch(`${url}/v1/runs/${run}/events`, {
    headers: {
      Authorization: `Bearer ${key}`,
      ...(after === undefined ? {} : { "Last-Event-ID": `${after}` }),
    },
    ...(signal ? { signal } : {}),
  });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(
        block
          .split("\n")
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      const data = fields.get("data");
      if (data === undefined) continue;
      const id = fields.get("id");
      const parsed = z.record(z.string(), z.unknown()).parse(JSON.parse(data));
      yield { id: id === undefined ? null : Number(id), event: fields.get("event") ?? "", data: parsed };
    }
  }
}

/** All events of a run to its end, over one connection. */
export async function eventsOf(
  platform: Pick<TestPlatform, "url">,
  key: string,
  run: string,
): Promise<StreamedEvent[]> {
  const all: StreamedEvent[] = [];
  for await (const event of streamed(platform, key, run)) all.push(event);
  return all;
}
