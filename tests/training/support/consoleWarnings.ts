import { afterEach, beforeEach, vi } from "vitest";

/** What the tests of a file warn of on the console, each test's own; nothing is printed. */
export function consoleWarnings(): readonly string[] {
  const warnings: string[] = [];
  beforeEach(() => {
    warnings.length = 0;
    vi.spyOn(console, "warn").mockImplementation((message) => {
      warnings.push(String(message));
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return warnings;
}
