import { describe, expect, test } from "vitest";
import { AgingCache } from "../../src/kernels/devices.ts";

describe("a cache that ages", () => {
  test("makes a value once while it is used", () => {
    const cache = new AgingCache<number>();
    let made = 0;
    for (let age = 0; age < 30; age++) {
      expect(cache.get("a", () => ++made)).toBe(1);
      cache.age();
    }
    expect(made).toBe(1);
  });

  test("drops what was not asked for during eight ages, and makes it again", () => {
    const cache = new AgingCache<number>();
    let made = 0;
    cache.get("a", () => ++made);
    for (let age = 0; age < 8; age++) cache.age();
    expect(cache.size).toBe(1);
    cache.age();
    expect(cache.size).toBe(0);
    expect(cache.get("a", () => ++made)).toBe(2);
  });

  test("keeps values apart by key", () => {
    const cache = new AgingCache<string>();
    cache.get("a", () => "first");
    expect(cache.get("b", () => "second")).toBe("second");
    cache.clear();
    expect(cache.size).toBe(0);
  });
});
