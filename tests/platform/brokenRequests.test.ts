/** Requests that are cut off, or whose content contradicts their headers. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { artifactsDirectory } from "../../platform/src/server/PlatformServer.ts";
import { cartPole } from "./support/cartPole.ts";
import { ask, linesOf } from "./support/client.ts";
import { TestPlatform } from "./support/platform.ts";

const SUBMIT = "/api/cli/v1/experiments/jobs/submit";

let platform: TestPlatform;
let admin: string;

beforeAll(async () => {
  platform = await TestPlatform.start();
  admin = await platform.key("admin");
});

afterAll(async () => {
  await platform?.close();
});

/** A request's first line and headers. */
const head = (method: string, path: string, headers: Readonly<Record<string, string>>): string =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: here",
    `Authorization: Bearer ${admin}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

/** Sends raw text, and disconnects without waiting for a response. */
async function sendAndLeave(text: string, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  const socket = connect(platform.server.port, "127.0.0.1");
  await once(socket, "connect");
  await new Promise<void>((resolve) => void socket.write(text, () => resolve()));
  await meanwhile();
  socket.destroy();
}

/** Sends raw text. @returns the status of the response. */
async function statusOf(text: string): Promise<number> {
  const socket = connect(platform.server.port, "127.0.0.1");
  socket.write(text);
  const [answer] = await once(socket, "data");
  socket.destroy();
  return Number(/^HTTP\/1.1 (\d{3})/.exec(String(answer))?.[1]);
}

async function runCount(): Promise<number> {
  const { text } = await ask(platform, "GET", "/metrics");
  const counts = text.split("\n").filter((line) => line.startsWith("rlkit_runs{"));
  return counts.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

it.each([
  ["no key", "", 401],
  ["a key without the scope", "reader", 403],
  ["a path that is not there", "admin", 404],
])(
  "a request with %s whose body does not end loses its connection after the answer",
  async (_, by, status) => {
    const key = by === "admin" ? admin : await platform.key("read");
    const path = by === "admin" ? "/v1/nothing" : "/v1/artifacts/".padEnd(78, "0");
    const socket = connect(platform.server.port, "127.0.0.1");
    const headers = { "Content-Type": "application/octet-stream", "Content-Length": "1000" };
    const text = head("PUT", path, headers).replace(admin, key);
    socket.write(`${by === "" ? text.replace(/Authorization.*\r\n/, "") : text}begun`);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toContain(`HTTP/1.1 ${status}`);
    await once(socket, "close");
  },
);

it("a client that sends all of a refused body reads its answer and keeps its connection", async () => {
  const socket = connect(platform.server.port, "127.0.0.1");
  const body = "x".repeat(1000);
  const headers = { "Content-Type": "application/octet-stream", "Content-Length": `${body.length}` };
  const text = head("PUT", "/v1/nothing", headers);
  socket.write(text);
  expect(String((await once(socket, "data"))[0])).toContain("HTTP/1.1 404");
  socket.write(body + text + body);
  expect(String((await once(socket, "data"))[0])).toContain("HTTP/1.1 404");
  socket.destroy();
});

describe("a client that is gone amid its submission", () => {
  const body = JSON.stringify({ manifest: cartPole });

  it("has submitted nothing where the request was not whole", async () => {
    const before = await runCount();
    const headers = { "Content-Type": "application/json", "Content-Length": `${body.length + 1}` };
    await sendAndLeave(head("POST", SUBMIT, headers) + body);
    const after = await ask(platform, "GET", "/healthz");
    expect(after.status).toBe(200);
    expect(await runCount()).toBe(before);
  });

  it("has submitted one run when it sends the same request again, whatever became of the first", async () => {
    const before = await runCount();
    const headers = {
      "Content-Type": "application/json",
      "Content-Length": `${body.length}`,
      "Idempotency-Key": "gone",
    };
    await sendAndLeave(head("POST", SUBMIT, headers) + body);
    const again = await ask(platform, "POST", SUBMIT, {
      key: admin,
      headers: { "Idempotency-Key": "gone" },
      body: { manifest: cartPole },
    });
    expect(linesOf(again.text).at(-1)?.status).toBe("completed");
    expect(await runCount()).toBe(before + 1);
  });
});

describe("an artifact", () => {
  const bytes = "weights".repeat(1000);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const path = `/v1/artifacts/${sha256}`;
  const type = { "Content-Type": "application/octet-stream" };

  it("is kept where all of it came, and never a part of it", async () => {
    const folder = `${artifactsDirectory(platform.directory)}/${sha256.slice(0, 2)}`;
    const files = async () => (await readdir(folder).catch(() => [])).length;
    const headers = { ...type, "Content-Length": `${bytes.length}` };
    await sendAndLeave(head("PUT", path, headers) + bytes.slice(0, 99), async () => {
      await expect.poll(files).toBe(1);
    });
    await expect.poll(files).toBe(0);
    expect((await ask(platform, "GET", path, { key: admin })).status).toBe(404);
    expect(await statusOf(head("PUT", path, { ...type, "Content-Length": `${bytes.length}` }) + bytes)).toBe(
      200,
    );
    expect((await ask(platform, "GET", path, { key: admin })).text).toBe(bytes);
  });

  it("is refused without its length, and where it is too large or other bytes", async () => {
    expect(await statusOf(head("PUT", path, { ...type, "Transfer-Encoding": "chunked" }) + "0\r\n\r\n")).toBe(
      411,
    );
    expect(await statusOf(head("PUT", path, { ...type, "Content-Length": `${5 * 1024 ** 3}` }))).toBe(413);
    const other = `/v1/artifacts/${"0".repeat(64)}`;
    expect(await statusOf(head("PUT", other, { ...type, "Content-Length": "7" }) + "weights")).toBe(422);
  });
});

describe("a manifest as text", () => {
  const submit = async (manifest: string) =>
    ask(platform, "POST", SUBMIT, { key: admin, body: { manifest } });

  /** A YAML bomb: each line refers to the previous one nine times. */
  const bomb = ["a", "b", "c", "d", "e", "f", "g", "h", "i"]
    .map((name, i, names) => {
      const items = Array<string>(9).fill(i === 0 ? "x" : `*${names[i - 1]}`);
      return `${name}: &${name} [${items.join(", ")}]`;
    })
    .join("\n");

  it.each([
    ["is nested deeply", "[".repeat(20_000) + "]".repeat(20_000)],
    ["is nested deeply, as YAML", `${"a: {".repeat(5000)}${"}".repeat(5000)}`],
    ["grows when it is read", bomb],
    ["has a key that objects come with", '{"__proto__": {"pop_size": 2}, "algorithm": {"name": "DQN"}}'],
    ["is no manifest", "\u0001"],
  ])("is refused where it %s", async (_, text) => {
    const { status, message } = await submit(text);
    expect([status, message]).toEqual([422, expect.stringMatching(/.{20}/)]);
  });
});
