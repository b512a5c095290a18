import { afterEach, describe, expect, it, vi } from "vitest";
import { consoleObserver } from "../../src/tracking/clients.ts";
import type { EvolutionReport } from "../../src/tracking/history.ts";
import type { TrainingEvent } from "../../src/tracking/observer.ts";
import { generation, member, progress } from "./reports.ts";

const CLEAR = "\r\x1b[2K";

const whole: TrainingEvent[] = [
  progress(),
  { event: "warning", message: "something to know" },
  generation([member(0), member(1)]),
  { event: "checkpoint", path: "runs/a_1000", global_step: 1000 },
  { event: "end", reason: "target", global_step: 2000, fitnesses: [Number.NaN, 3, 2] },
];

function shown(events: readonly TrainingEvent[], isTTY: boolean, options = {}): string[] {
  const written: string[] = [];
  const observer = consoleObserver({ stream: { write: (text) => written.push(text), isTTY }, ...options });
  for (const event of events) observer.on(event);
  return written;
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("consoleObserver", () => {
  it("calls the fitness of games a rating", () => {
    const league = { players: [], matches: [] };
    const written = whole.map((event) => (event.event === "generation" ? { ...event, league } : event));
    const text = shown(written, false).join("");
    expect(text).toMatch(/best rating 3$/m);
    expect(text).toMatch(/^\W*rating\b/m);
    expect(text).not.toContain("fitness");
  });

  it("writes whole plain lines where nobody watches", () => {
    const written = shown(whole, false);
    for (const text of written) expect(text).toMatch(/\n$/);
    const text = written.join("");
    expect(text).not.toMatch(/[\x1b\r]/);
    expect(text).toContain("Warning: something to know\n");
    expect(text).toContain("Global Steps: 1_234_567\n");
    expect(text).toContain("runs/a_1000");
    expect(text.trimEnd().split("\n").at(-1)).toMatch(
      /^Training reached its target score: 2_000 steps in 0:00, best fitness 3$/,
    );
  });

  it("says what was evaluated with each generation, and at the end what mutations gained", () => {
    const evolution: EvolutionReport = {
      since: 1,
      episodes: 8,
      total_episodes: 1600,
      members: 4,
      ancestors: 1,
      hyperparameters: { lr: { distinct: 3, spread: 0.25 }, gamma: { distinct: 1, spread: 0 } },
      mutations: [
        {
          kind: "none",
          number: 30,
          gains: 0,
          gain: null,
          gain_error: null,
          gain_interval: null,
          survival: 0.9,
        },
        {
          kind: "explore",
          number: 2,
          gains: 2,
          gain: 1.5,
          gain_error: 1,
          gain_interval: [-2, 5],
          survival: null,
        },
      ],
    };
    const text = shown(
      [
        generation([member(0)], { evolution }),
        { event: "end", reason: "max_steps", global_step: 1, fitnesses: [1], evolution },
      ],
      false,
    ).join("");
    const line = "1_600 evaluation episodes (8 here) · 1 ancestor of 4 members · spread: lr 25 %";
    expect(text).toContain(`${line}\n`);
    expect(text).toMatch(/^none +30 +- +90 %$/m);
    expect(text).toMatch(/^explore +2 +not enough evidence \(\+1\.5000 \[-2, \+5\], n = 2\) +-$/m);
    expect(text).toContain("1_600 evaluation episodes · 1 ancestor");
  });

  it("rewrites one line on a terminal, and puts other lines in its place", () => {
    const written = shown(whole, true, { colour: false });
    expect(written[0]?.startsWith(`${CLEAR}Training Progress │  25%`)).toBe(true);
    expect(written[0]).not.toContain("\n");
    expect(written[1]).toBe(`${CLEAR}Warning: something to know\n`);
    // The warning took the line, so nothing is left to clear.
    expect(written[2]?.startsWith("Global Steps")).toBe(true);
    expect(written[3]).toContain("1_234_567/2_000_000 steps");
    expect(written.at(-1)).toMatch(/\n$/);
  });

  it.each([
    ["on a terminal", true],
    ["where nobody watches", false],
  ])("ends with a full bar, unless it was stopped: %s", (_where, isTTY) => {
    const ends = (reason: "max_steps" | "target" | "stopped", steps: number): string[] =>
      shown(
        [
          progress(),
          generation([member(0)], { global_step: steps }),
          { event: "end", reason, global_step: steps, fitnesses: [1] },
        ],
        isTTY,
        { colour: false },
      );
    const lines = (written: readonly string[]): string[] =>
      written
        .join("")
        .split(/\n|\r\x1b\[2K/)
        .filter((line) => line.startsWith("Training"));
    for (const reason of ["max_steps", "target"] as const) {
      const [bar, last] = lines(ends(reason, 1_234_567)).slice(-2);
      expect(bar).toMatch(/100% │ █+ │ 1_234_567\/1_234_567 steps/);
      expect(last).toContain("Training ");
    }
    const full = lines(ends("max_steps", 2_000_000)).filter((line) => line.includes("100%"));
    expect(full.length).toBe(isTTY ? 2 : 1);
    expect(lines(ends("stopped", 1_234_567)).at(-2)).toMatch(/ 61% /);
  });

  it("rewrites how far a download is, and leaves the line of a whole file", () => {
    const events: TrainingEvent[] = [
      { event: "download", received: 10, total: 2000 },
      { event: "download", received: 1500, total: null },
      { event: "download", received: 2000, total: 2000 },
      progress(),
    ];
    expect(shown(events, true).slice(0, 3)).toEqual([
      `${CLEAR}Fetched 10 of 2_000 bytes`,
      `${CLEAR}Fetched 1_500 bytes`,
      `${CLEAR}Fetched 2_000 of 2_000 bytes\n`,
    ]);
    expect(shown(events, false)).toEqual(["Fetched 2_000 of 2_000 bytes\n"]);
  });

  it("colours on a terminal unless NO_COLOR asks for none", () => {
    vi.stubEnv("NO_COLOR", "");
    expect(shown(whole, true).join("")).toContain("\x1b[33mWarning:");
    vi.stubEnv("NO_COLOR", "1");
    expect(shown(whole, true).join("")).not.toContain("\x1b[33m");
  });

  it("does not take a terminal of unknown width for one of no width", () => {
    expect(shown(whole, true, { columns: 0, colour: false })).toEqual(
      shown(whole, true, { columns: 120, colour: false }),
    );
  });

  it("knows the total before the first progress report when it is told", () => {
    const report = generation([member(0)], { global_step: 500 });
    expect(shown([report], false, { total_steps: 1000 }).join("")).toContain("500/1_000 steps");
  });

  it("shows nothing but plain lines in a browser's console", () => {
    vi.stubGlobal("process", undefined);
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const observer = consoleObserver();
    for (const event of whole) observer.on(event);
    const messages = log.mock.calls.map(([text]) => String(text));
    expect(messages[0]).toBe("Warning: something to know");
    for (const message of messages) expect(message).not.toMatch(/\n$|[\x1b\r]/);
  });

  it("does not stop training when the stream is closed", () => {
    const observer = consoleObserver({
      stream: {
        write: () => {
          throw new Error("write EPIPE");
        },
      },
    });
    for (const event of whole) expect(() => observer.on(event)).not.toThrow();
  });
});
