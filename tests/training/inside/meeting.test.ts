/** Members of one device that wait for each other. */
import { describe, expect, it } from "vitest";
import { Meeting } from "../../../src/training/gpu/Meeting.ts";

/** A meeting that answers with ten times what was asked, and what it was asked for. */
function meetingOf(slots: readonly number[]) {
  const met: [number, number][][] = [];
  const meeting = new Meeting<number, number>(slots, async (asks) => {
    met.push([...asks]);
    return new Map([...asks].map(([slot, ask]) => [slot, 10 * ask]));
  });
  return { meeting, met };
}

describe("a meeting of members", () => {
  it("does the work of all together, in the order of their slots", async () => {
    const { meeting, met } = meetingOf([0, 1, 2]);
    const later = [meeting.ask(2, 7), meeting.ask(0, 5)];
    await Promise.resolve();
    expect(met).toEqual([]);
    expect(await Promise.all([...later, meeting.ask(1, 6)])).toEqual([70, 50, 60]);
    expect(met).toEqual([
      [
        [0, 5],
        [1, 6],
        [2, 7],
      ],
    ]);
  });

  it("goes on without those who leave", async () => {
    const { meeting, met } = meetingOf([0, 1]);
    const alone = meeting.ask(0, 1);
    meeting.leave(1);
    expect(await alone).toBe(10);
    expect(await meeting.ask(0, 2)).toBe(20);
    meeting.leave(0);
    expect(met).toHaveLength(2);
  });

  it("ends with the reason that it is given, for those who wait and for those who come", async () => {
    const { meeting } = meetingOf([0, 1]);
    const waiting = meeting.ask(0, 1);
    meeting.fail(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    await expect(meeting.ask(1, 1)).rejects.toThrow("stopped");
  });

  it("tells all of them when the work fails", async () => {
    const meeting = new Meeting<number, number>([0, 1], () => Promise.reject(new Error("lost")));
    const asked = await Promise.allSettled([meeting.ask(0, 1), meeting.ask(1, 1)]);
    expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});
