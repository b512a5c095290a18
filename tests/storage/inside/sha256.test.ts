import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sha256Hex, sha256HexNow } from "../../../src/storage/files.ts";
import { portableSha256Hex } from "../../../src/storage/sha256.ts";

describe("SHA-256", () => {
  it("is that of FIPS 180-4's examples", () => {
    const hex = (text: string) => portableSha256Hex(new TextEncoder().encode(text));
    expect(hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    );
  });

  it("is the same in Node, in browsers, and without either, for every length", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const expected = createHash("sha256").update(bytes).digest("hex");
        expect([portableSha256Hex(bytes), sha256HexNow(bytes), await sha256Hex(bytes)]).toEqual([
          expected,
          expected,
          expected,
        ]);
      }),
    );
  });
});
