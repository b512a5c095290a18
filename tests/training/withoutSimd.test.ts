import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { LocalTrainer } from "../../src/training/index.ts";
import { dqn } from "./support/tiny.ts";

describe("an engine without WebAssembly SIMD", () => {
  beforeEach(() => {
    vi.spyOn(WebAssembly, "validate").mockReturnValue(false);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("is refused when training starts, with what to use", async () => {
    const run = new LocalTrainer(dqn()).train({ verbose: false, observer: { on: () => undefined } });
    await expect(run).rejects.toThrow(
      "WebAssembly SIMD is not available here; use a browser from 2021 or later (Chrome 91, Firefox 89, Safari 16.4) or Node 16.4",
    );
  });
});
