/** Artifacts that come from elsewhere: nothing is kept that is not what was announced. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { receiveArtifact, UploadError } from "../../platform/src/artifacts/receiveArtifact.ts";
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
  ["other bytes", bytes.toReversed(), 100_000, "found bytes of SHA-256"],
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
