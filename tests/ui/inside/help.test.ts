import { describe, expect, it } from "vitest";
import { DRAWINGS } from "../../../src/ui/pages/help/conceptDrawings.tsx";
import { CONCEPTS } from "../../../src/ui/pages/help/conceptTexts.ts";

describe("the words of evolution", () => {
  it.each(Object.entries(CONCEPTS))("%s is explained in at most 60 words, with a drawing", (name, text) => {
    const words = text.split(/\s+/).length;
    expect(words).toBeGreaterThan(40);
    expect(words).toBeLessThanOrEqual(60);
    expect(Object.keys(DRAWINGS)).toContain(name);
  });
});
