import { describe, expect, it } from "vitest";
import { memoryFileStore } from "../../src/storage/index.ts";
import { KeptEnvironments } from "../../src/workers/coordinator.ts";

const SOURCE = "export default class {}\n";

function environments() {
  const files = memoryFileStore();
  return { files, kept: new KeptEnvironments(files) };
}

describe("environments of one's own in the browser's storage", () => {
  it("keeps a text as it was written, in a file that its hash names", async () => {
    const { files, kept } = environments();
    const { sha256 } = await kept.save("cart", SOURCE);
    expect(new TextDecoder().decode(await files.read(`/v1/environments/cart/${sha256}.js`))).toBe(SOURCE);
    expect(await kept.read("cart")).toEqual({
      name: "cart",
      id: "user/cart",
      sha256,
      source: SOURCE,
    });
    expect(await new KeptEnvironments(files).list()).toEqual([
      { name: "cart", id: "user/cart", sha256, bytes: SOURCE.length },
    ]);
  });

  it("has one text of a name, the last that was saved", async () => {
    const { files, kept } = environments();
    await kept.save("cart", SOURCE);
    const { sha256 } = await kept.save("cart", `${SOURCE}// 2\n`);
    await kept.save("cart", `${SOURCE}// 2\n`);
    expect((await files.list("/v1/environments/cart")).map(({ name }) => name)).toEqual([`${sha256}.js`]);
    expect((await kept.read("cart")).source).toBe(`${SOURCE}// 2\n`);
  });

  it("deletes one, and names those there are where one is missing", async () => {
    const { kept } = environments();
    await kept.save("a", SOURCE);
    await kept.save("b", SOURCE);
    await kept.remove("a");
    await expect(kept.read("a")).rejects.toThrow(
      '"user/a" is not an environment stored in this browser; did you mean "user/b"?',
    );
    await expect(kept.remove("a")).rejects.toThrow("user/a");
  });

  it("refuses what is corrupt", async () => {
    const { files, kept } = environments();
    const { sha256 } = await kept.save("cart", SOURCE);
    await files.write(`/v1/environments/cart/${sha256}.js`, new TextEncoder().encode("other"));
    await expect(kept.read("cart")).rejects.toThrow("is corrupt; save the environment again");
  });

  it.each(["", "a b", "../up", "-a", "a".repeat(65), "a/b", "a.js"])("refuses the name %j", (name) => {
    const { kept } = environments();
    expect(() => kept.save(name, SOURCE)).toThrow('allowed are 1 to 64 letters, digits, "_" and "-"');
  });

  it.each([
    ["", 0],
    ["x".repeat(1_000_001), 1_000_001],
  ])("refuses a text of a size that none has", (source, bytes) => {
    expect(() => environments().kept.save("cart", source)).toThrow(
      `found ${bytes} bytes, allowed are 1 to 1000000`,
    );
  });
});
