/** Language models on the platform. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { killed } from "./support/platform.ts";
import { REASONING_GENERATIONS, reasoning } from "./support/reasoning.ts";
import { claims, TrainedRuns } from "./support/TrainedRuns.ts";

let runs: TrainedRuns;

beforeAll(async () => {
  runs = await TrainedRuns.start({}, { manifest: reasoning, generations: REASONING_GENERATIONS });
});

afterAll(async () => {
  await runs?.platform.close();
});

it("a language model is trained to the bits of a local one, also where its worker is killed", async () => {
  const first = runs.platform.worker();
  const run = await runs.submit();
  await runs.firstOf(run, "checkpoint");
  await killed(first.process);
  runs.platform.worker();
  const events = await runs.watched(run);
  await runs.assertWhole(run, events);
  expect(claims(events)).toBe(2);
  const metrics = z.array(z.string()).parse(await runs.client.listMetrics(run));
  const rows = (await runs.client.downloadMetrics(run, metrics)).trimEnd().split("\n");
  expect(rows).toHaveLength(1 + REASONING_GENERATIONS);
});
