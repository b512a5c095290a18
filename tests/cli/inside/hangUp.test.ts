import { describe, expect, it, vi } from "vitest";
import { hangUpIsIgnored } from "../../../src/cli/hangUp.ts";

describe("a hang-up is ignored", () => {
  it.each([
    ["_", "/usr/bin/nohup"],
    ["_", "nohup"],
    ["RLKIT_NOHUP", "1"],
  ])("where %s is %s", (name, value) => {
    vi.stubEnv(name, value);
    expect(hangUpIsIgnored()).toBe(true);
  });
});
