import { describe, expect, it } from "vitest";
import { EventStream } from "../../../src/workers/coordinator/eventStream.ts";
import type { RunEvent } from "../../../src/workers/protocol.ts";

const progress = (run: string, global_step: number): RunEvent => ({
  run,
  kind: "progress",
  report: {
    event: "progress",
    generation: 1,
    global_step,
    total_steps: 1000,
    steps_per_second: 1,
    learn_steps_per_second: 1,
  },
});

/** The first `count` events from a port. */
function received(port: MessagePort, count: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  return new Promise((resolve) => {
    port.onmessage = ({ data }: MessageEvent<RunEvent>) => {
      events.push(data);
      if (events.length < count) return;
      port.close();
      resolve(events);
    };
  });
}

describe("EventStream", () => {
  it("sends at most four progress events of a run in a second, and all else", async () => {
    let now = 0;
    const stream = new EventStream(() => now);
    const { port1, port2 } = new MessageChannel();
    stream.subscribe(port2);
    const state = { run: "a", kind: "state", state: "paused", failure: null, end: null } as const;
    for (now = 0; now < 1000; now += 50) stream.emit(progress("a", now));
    stream.emit(progress("b", 1));
    stream.emit(state);
    stream.emit(state);
    const steps = [0, 250, 500, 750].map((at) => progress("a", at));
    expect(await received(port1, 7)).toEqual([...steps, progress("b", 1), state, state]);
  });

  it("sends to the last subscriber alone, and to nobody before there is one", async () => {
    const stream = new EventStream(() => 0);
    stream.emit(progress("a", 1));
    const [first, second] = [new MessageChannel(), new MessageChannel()];
    const closed = new Promise((resolve) => first.port1.addEventListener("close", resolve));
    first.port1.start();
    stream.subscribe(first.port2);
    stream.subscribe(second.port2);
    stream.emit(progress("b", 2));
    expect(await received(second.port1, 1)).toEqual([progress("b", 2)]);
    await closed;
  });
});
