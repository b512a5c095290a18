/** Watching a run: each event arrives once, over as many connections as necessary. */
import { describe, expect, it, vi } from "vitest";
import {
  RemoteApiError,
  RemoteClient,
  type RemoteRunEvent,
  type WatchOptions,
} from "../../../src/remote/index.ts";
import { serverEvents, watchEvents } from "../../../src/remote/watchEvents.ts";
import { type Answer, KEY, type Platform, withPlatform } from "../platform.ts";

const block = (seq: number | null, event: string, data: object): string =>
  `${seq === null ? "" : `id: ${seq}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const generation = (seq: number): string => block(seq, "generation", { generation: seq });
const finished = (seq: number): string => block(seq, "state", { state: "finished" });

/** Makes clients reconnect at once. */
const AT_ONCE = "retry: 0\n\n";

const stream = (body: string, after?: Answer["after"]): Answer => ({
  headers: { "Content-Type": "text/event-stream" },
  body: `${AT_ONCE}${body}`,
  ...(after && { after }),
});

const watch = ({ base_url }: Platform, options: WatchOptions = {}) =>
  new RemoteClient({ api_key: KEY, base_url }).watchExperiment("poles-1", options);

async function all(events: AsyncIterable<RemoteRunEvent>): Promise<RemoteRunEvent[]> {
  const seen: RemoteRunEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const seqs = (events: readonly RemoteRunEvent[]) => events.map(({ seq }) => seq);
const afterOf = ({ asked }: Platform) => asked.map(({ headers }) => headers["last-event-id"]);

describe("watchExperiment", () => {
  it("tells a run's events until it is over", async () => {
    await withPlatform(async (platform) => {
      const progress = block(null, "progress", { global_step: 5 });
      const running = block(1, "state", { state: "running", reason: null });
      platform.answer(() => stream(`: hello\n\n${running}${progress}${generation(2)}${finished(3)}`, "open"));
      expect(await all(watch(platform))).toEqual([
        { seq: 1, event: "state", data: { state: "running", reason: null } },
        { seq: null, event: "progress", data: { global_step: 5 } },
        { seq: 2, event: "generation", data: { generation: 2 } },
        { seq: 3, event: "state", data: { state: "finished" } },
      ]);
      const [asked] = platform.asked;
      expect(asked?.route).toBe("GET /v1/runs/poles-1/events");
      expect(asked?.headers.accept).toBe("text/event-stream");
      expect(afterOf(platform)).toEqual([undefined]);
    });
  });

  it.each(["stopped", "failed"])("ends with a run that has %s", async (state) => {
    await withPlatform(async (platform) => {
      platform.answer(() => stream(block(1, "state", { state, reason: "why" }), "open"));
      expect((await all(watch(platform))).at(-1)?.data).toEqual({ state, reason: "why" });
    });
  });

  it("connects again after the last event, and tells none twice", async () => {
    await withPlatform(async (platform) => {
      const parts = [
        stream(generation(1) + generation(2), "cut"),
        stream(generation(2) + generation(3)),
        { after: "cut" },
        { status: 503, body: "" },
        { status: 429, headers: { "Retry-After": "0" }, body: "" },
        // A truncated event block does not count.
        stream(`id: 4\nevent: generation\ndata: {"gen`, "cut"),
        stream(generation(4) + finished(5), "open"),
      ] as const;
      platform.answer((_, count) => parts[count - 1] ?? {});
      const lost: number[] = [];
      // Makes the retry delay after server errors zero.
      vi.spyOn(Math, "random").mockReturnValue(-1);
      const told = await all(watch(platform, { onLost: ({ status_code }) => lost.push(status_code) }));
      vi.restoreAllMocks();
      expect(seqs(told)).toEqual([1, 2, 3, 4, 5]);
      expect(lost).toEqual([0, 0, 0, 503, 429, 0]);
      expect(afterOf(platform)).toEqual([undefined, "2", "3", "3", "3", "3", "3"]);
    });
  });

  it("waits for a platform that is asked too often, also before the first event", async () => {
    await withPlatform(async (platform) => {
      const busy = { status: 429, headers: { "Retry-After": "0" }, body: "" };
      const parts = [busy, busy, stream(finished(1), "open")];
      platform.answer((_, count) => parts[count - 1] ?? {});
      const lost: number[] = [];
      const told = await all(watch(platform, { onLost: ({ status_code }) => lost.push(status_code) }));
      expect(seqs(told)).toEqual([1]);
      expect(lost).toEqual([429, 429]);
    });
  });

  it("tells when it is connected, and when no more", async () => {
    await withPlatform(async (platform) => {
      const parts = [stream(generation(1), "cut"), { status: 503, body: "" }, stream(finished(2), "open")];
      platform.answer((_, count) => parts[count - 1] ?? {});
      const told: string[] = [];
      vi.spyOn(Math, "random").mockReturnValue(-1);
      const options = { onConnected: () => told.push("connected"), onLost: () => told.push("lost") };
      expect(seqs(await all(watch(platform, options)))).toEqual([1, 2]);
      vi.restoreAllMocks();
      expect(told).toEqual(["connected", "lost", "lost", "connected"]);
    });
  });

  it("begins after the event that is known", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => stream(generation(8) + finished(9)));
      expect(seqs(await all(watch(platform, { last_event_id: 7 })))).toEqual([8, 9]);
      expect(afterOf(platform)).toEqual(["7"]);
    });
  });

  it("ends where the last state was known before", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => stream(finished(9)));
      expect(await all(watch(platform, { last_event_id: 9 }))).toEqual([]);
    });
  });

  it("counts a connection that says nothing as lost", async () => {
    await withPlatform(async (platform) => {
      platform.answer((_, count) =>
        count === 1 ? stream(generation(1), "open") : stream(generation(2) + finished(3)),
      );
      const lost: string[] = [];
      const onLost = ({ detail }: RemoteApiError): void => void lost.push(detail);
      expect(seqs(await all(watch(platform, { idle_timeout: 0.02, onLost })))).toEqual([1, 2, 3]);
      expect(lost[0]).toBe("no data received for 0.02 s");
    });
  });

  it("ends where its reader stops, and where its signal says so", async () => {
    await withPlatform(async (platform) => {
      platform.answer(() => stream(generation(1), "open"));
      for await (const event of watch(platform)) if (event.seq === 1) break;
      const stop = new AbortController();
      const told: RemoteRunEvent[] = [];
      for await (const event of watch(platform, { signal: stop.signal })) {
        told.push(event);
        stop.abort();
      }
      expect(seqs(told)).toEqual([1]);
      expect(await all(watch(platform, { signal: AbortSignal.abort() }))).toEqual([]);
      expect(platform.asked).toHaveLength(2);
    });
  });

  it.each([
    ["a first connection that fails", [{ after: "cut" }], 0],
    ["a run that is not there", [{ status: 404, body: "no such run" }], 404],
    ["a refusal later", [stream(generation(1), "cut"), { status: 403, body: "no more" }], 403],
    ["an event that is no JSON", [stream("id: 1\nevent: generation\ndata: {\n\n", "open")], 200],
    ["a state that there is not", [stream(block(1, "state", { state: "gone" }), "open")], 200],
  ] as const)("throws for %s", async (_, answers, status_code) => {
    await withPlatform(async (platform) => {
      platform.answer((__, count) => answers[count - 1] ?? {});
      await expect(all(watch(platform))).rejects.toMatchObject({ status_code });
      expect(platform.asked).toHaveLength(answers.length);
    });
  });

  // Wrong types on purpose.
  it.each([
    { last_event_id: -1 },
    { last_event_id: "7" },
    { idle_timeout: 0 },
    { signal: true },
    { onLost: 1 },
    { after: 7 },
  ] as object[])("refuses %j", (options) => {
    const client = new RemoteClient({ api_key: KEY });
    expect(() => client.watchExperiment("poles-1", options)).toThrow(/watchExperiment: /);
  });
});

describe("pauses between connections", () => {
  it("grow while the platform is away, and begin anew with the next event", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const away = new RemoteApiError({ detail: "away", status_code: 0 });
    const told = [[generation(1)], ...Array<null>(7).fill(null), [generation(2)], [finished(3)]];
    const waits: number[] = [];
    const open = (): AsyncIterable<string> => {
      const blocks = told.shift() ?? null;
      return (async function* () {
        await Promise.resolve();
        if (blocks === null) throw away;
        yield* blocks.join("").split("\n");
      })();
    };
    const wait = async (ms: number): Promise<void> => {
      waits.push(ms);
    };
    expect(seqs(await all(watchEvents({ open, wait }, {})))).toEqual([1, 2, 3]);
    vi.restoreAllMocks();
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 1000]);
  });
});

describe("server-sent events", () => {
  const read = async (text: string) => {
    const events: unknown[] = [];
    const retries: number[] = [];
    const lines = (async function* () {
      await Promise.resolve();
      yield* text.split("\n");
    })();
    for await (const event of serverEvents(lines, (ms) => retries.push(ms))) events.push(event);
    return { events, retries };
  };

  it("have fields, comments and data of several lines", async () => {
    const text =
      ": a comment\nretry: 50\nretry: soon\nid:7\nevent: a\ndata: one\ndata:two\nother: x\n\ndata\n\n\n";
    expect(await read(text)).toEqual({
      events: [{ id: "7", event: "a", data: "one\ntwo" }, { data: "" }],
      retries: [50],
    });
  });

  it("count only when they are whole", async () => {
    expect((await read("data: one\n\ndata: two")).events).toHaveLength(1);
  });
});
