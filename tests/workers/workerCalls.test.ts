import { transferHandlers } from "comlink";
import { describe, expect, it } from "vitest";
import { DivergedError } from "../../src/agents/index.ts";
import { StorageError } from "../../src/storage/index.ts";
import { installErrorTransfer } from "../../src/workers/computing.ts";

installErrorTransfer();

/** An error that one thread throws, as the other thread catches it. */
function transferred(error: unknown): unknown {
  const handler = transferHandlers.get("throw");
  if (!handler) throw new Error("no handler");
  const [record] = handler.serialize({ value: error });
  try {
    handler.deserialize(structuredClone(record));
  } catch (caught) {
    return caught;
  }
  throw new Error("nothing was thrown");
}

describe("errors between threads", () => {
  it("say which member diverged", () => {
    expect(transferred(new DivergedError(3, "member 3: no number"))).toMatchObject({
      name: "DivergedError",
      message: "member 3: no number",
      slot: 3,
    });
  });

  it("keep their code and path", () => {
    const error = new StorageError("full", "a/b", "no room");
    expect(transferred(error)).toMatchObject({ name: "StorageError", code: "full", path: "a/b" });
  });
});
