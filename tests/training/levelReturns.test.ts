/** Evolution strategies whose copies do not differ. */
import { expect, it } from "vitest";
import { es, trained } from "./support/tiny.ts";

it("says once for each member that nothing is learnt where the copies of pairs return the same", async () => {
  const training = { pop_size: 2, max_steps: 2000, evo_steps: 64 };
  const level = { sigma: 1e-5, sample_actions: false };
  const { recorder } = await trained(es({ algorithm: level, training }));
  expect(recorder.generations.length).toBeGreaterThan(2);
  expect(recorder.warnings.map((text) => text.slice(0, 53))).toEqual([
    "agent 0: perturbed copies do not differ in their retu",
    "agent 1: perturbed copies do not differ in their retu",
  ]);
  const told = await trained(es({ training: { ...training, max_steps: 384 } }));
  expect(told.recorder.warnings).toEqual([]);
});
