/** Artifacts that other machines send: only bytes that match the announced hash are stored. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { HttpArtifacts } from "../../platform/src/artifacts/HttpArtifacts.ts";
import { freePort } from "../../platform/src/database/createDatabase.ts";
import { receiveArtifact, UploadError } from "../../platform/src/http/receive.ts";
import { StorageError } from "../../src/storage/index.ts";
import { withTemporaryDirectory } from "../storage/support/temporaryDirectory.ts";

const bytes = new Uint8Array(100_000).map((_, i) => i % 251);
const sha256 = createHash("sha256").update(bytes).digest("hex");

const streamOf = (data: Uint8Array): Readable => Readable.from([data.subarray(0, 7), data.subarray(7)]);

it("keeps what was announced", () =>
  withTemporaryDirectory(async (dir) => {
    const file = path.join(dir, "ab", sha256);
    await receiveArtifact(file, { sha256, size: bytes.byteLength }, streamOf(bytes));
    expect(new Uint8Array(await readFile(file))).toEqual(bytes);
  }));

it.each([
  ["longer", bytes, 99_999, "more than the 99999 bytes"],
  ["shorter", bytes, 100_001, "found 100000 bytes, 100001 were announced"],
  ["other bytes", bytes.toReversed(), 100_000, "found the SHA-256"],
])("keeps nothing of an upload that is %s", (_, data, size, message) =>
  withTemporaryDirectory(async (dir) => {
    const received = receiveArtifact(path.join(dir, sha256), { sha256, size }, streamOf(data));
    await expect(received).rejects.toThrow(UploadError);
    await expect(received).rejects.toThrow(message);
    expect(await readdir(dir)).toEqual([]);
  }),
);

it("keeps nothing of an upload that is cut off", () =>
  withTemporaryDirectory(async (dir) => {
    const cut = Readable.from(
      (async function* () {
        yield bytes.subarray(0, 10);
        throw new Error("the connection was reset");
      })(),
    );
    await expect(receiveArtifact(path.join(dir, sha256), { sha256, size: 100_000 }, cut)).rejects.toThrow(
      "reset",
    );
    expect(await readdir(dir)).toEqual([]);
  }));

/** Runs `work` with a client of a server that gives these answers in turn. */
async function withAnswers(
  answers: readonly (readonly [status: number, body: string, headers?: Record<string, string>])[],
  work: (artifacts: HttpArtifacts, log: readonly string[]) => Promise<void>,
): Promise<void> {
  const left = [...answers];
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      const [status, body, headers = {}] = left.shift() ?? [500, ""];
      response.writeHead(status, headers).end(body);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server that listens on a TCP port has an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log: string[] = [];
  const signal = new AbortController().signal;
  await work(new HttpArtifacts({ url, key: "rk", log: (message) => log.push(message), signal }), log);
  expect(left).toEqual([]);
  server.close();
}

describe("artifacts over HTTP", () => {
  it("come again after a platform that is away, which is told of once", () =>
    withAnswers(
      [
        [503, ""],
        [502, ""],
        [200, ""],
      ],
      async (artifacts, log) => {
        expect(await artifacts.put(bytes)).toBe(sha256);
        expect(log).toEqual([
          expect.stringContaining("answers with 503"),
          expect.stringContaining("answers again"),
        ]);
      },
    ));

  it("wait for a platform that is asked too often, as long as it says", () =>
    withAnswers(
      [
        [429, "", { "Retry-After": "1" }],
        [429, ""],
        [200, ""],
      ],
      async (artifacts, log) => {
        const began = performance.now();
        expect(await artifacts.put(bytes)).toBe(sha256);
        expect(performance.now() - began).toBeGreaterThan(900);
        expect(log).toEqual([
          expect.stringContaining("answers with 429"),
          expect.stringContaining("answers again"),
        ]);
      },
    ));

  it("are there once the platform answers, where it takes the key", async () => {
    await withAnswers(
      [
        [503, ""],
        [404, ""],
        [200, '{"ok":true,"data":{"project":null}}'],
      ],
      (artifacts) => artifacts.ready(),
    );
    await withAnswers([[403, "it allows read"]], (artifacts) =>
      expect(artifacts.ready()).rejects.toThrow("403: it allows read"),
    );
  });

  it("say why a platform cannot be reached", async () => {
    const ending = new AbortController();
    const log: string[] = [];
    const artifacts = new HttpArtifacts({
      ...{ url: `http://127.0.0.1:${await freePort("127.0.0.1")}`, key: "rk", signal: ending.signal },
      log: (message) => {
        log.push(message);
        ending.abort();
      },
    });
    await expect(artifacts.ready()).rejects.toThrow("aborted");
    expect(log).toEqual([expect.stringContaining("ECONNREFUSED")]);
  });

  it.each([
    ["a disk that is full", 507, "", "full"],
    ["a key that does not hold", 401, "unknown", "io"],
    ["bytes that are gone", 404, "", "not_found"],
    ["other bytes", 200, "others", "corrupt"],
  ] as const)("say what is wrong: %s", (_, status, body, code) =>
    withAnswers([[status, body]], async (artifacts) => {
      const error: unknown = await artifacts.get(sha256).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(StorageError);
      expect(error).toMatchObject({ code });
    }),
  );
});
