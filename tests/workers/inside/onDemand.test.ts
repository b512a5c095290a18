import { expect, it } from "vitest";
import { onDemand } from "../../../src/workers/coordinator/onDemand.ts";

it("is made once, when it is needed first, and told to those who only wait", async () => {
  let made = 0;
  const engine = onDemand(async () => {
    made += 1;
    return "engine";
  });
  const heard: string[] = [];
  const waiting = engine.loaded.then((value) => heard.push(value));
  await Promise.resolve();
  expect([made, engine.begun, heard]).toEqual([0, false, []]);
  expect(await Promise.all([engine.begin(), engine.begin()])).toEqual(["engine", "engine"]);
  await waiting;
  expect([made, engine.begun, heard]).toEqual([1, true, ["engine"]]);
});

it("tells everybody why it could not be made", async () => {
  const engine = onDemand(() => Promise.reject(new Error("no network")));
  await expect(engine.begin()).rejects.toThrow("no network");
  await expect(engine.loaded).rejects.toThrow("no network");
});
