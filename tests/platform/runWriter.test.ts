import { expect, it } from "vitest";
import { RunWriter } from "../../platform/src/worker/PostgresSink.ts";

it("writes in order, and of what is replaced the newest only", async () => {
  const written: string[] = [];
  const write = (what: string) => async () => void written.push(what);
  const writer = new RunWriter(() => undefined);
  writer.add(write("a"));
  writer.replace(write("old"));
  writer.replace(write("new"));
  writer.add(write("b"));
  await writer.flush();
  writer.replace(write("newer"));
  await writer.flush();
  expect(written).toEqual(["a", "new", "b", "newer"]);
});

it("writes nothing after a write that failed, and tells of the first", async () => {
  const [written, failures]: [string[], unknown[]] = [[], []];
  const writer = new RunWriter((error) => failures.push(error));
  const lost = new Error("lost");
  writer.add(() => Promise.reject(lost));
  writer.add(async () => void written.push("late"));
  await expect(writer.flush()).rejects.toBe(lost);
  writer.add(async () => void written.push("later"));
  await expect(writer.flush()).rejects.toBe(lost);
  expect([written, failures]).toEqual([[], [lost]]);
});
