import { describe, expect, it } from "vitest";
import { type FileStore, memoryFileStore, StorageError } from "../../src/storage/index.ts";
import { eventsOf, runCli, storeWithManifest, tinyManifest } from "./support.ts";

describe("rlkit train whose checkpoints on the way were all lost", () => {
  it("ends well when its end is saved", async () => {
    const memory = memoryFileStore();
    await storeWithManifest(tinyManifest({ max_steps: 400, checkpoint_steps: 200 }), memory);
    let failures = 2;
    const store: FileStore = {
      ...memory,
      async write(path, bytes) {
        if (/checkpoint_.*run\.json/.test(path) && failures-- > 0)
          throw new StorageError("full", path, "no room to write");
        await memory.write(path, bytes);
      },
    };
    const args = ["train", "m.json", "--workers", "1", "--json", "--out", "out"];
    const { code, stdout } = await runCli(args, { store });
    expect(code).toBe(0);
    const lost = eventsOf(stdout).filter(({ message }) => /was not saved/.test(String(message)));
    expect(lost).toHaveLength(2);
    expect(eventsOf(stdout).at(-1)).toMatchObject({ event: "end", checkpoint_path: "out/checkpoint_800" });
  });
});
