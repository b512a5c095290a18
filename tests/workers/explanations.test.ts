/** Tests of mutations that a page starts. */
// @apart: its programs and devices fill much memory.
import { afterEach, describe, expect, it } from "vitest";
import { InThreadExecutor } from "../../src/training/index.ts";
import type { RunEvent } from "../../src/workers/protocol.ts";
import { tinyDqn } from "./support/manifests.ts";
import { OneThread, TestWorkbench, type WorkbenchOptions } from "./support/workbench.ts";

const open: TestWorkbench[] = [];
afterEach(() => {
  for (const made of open.splice(0)) made.close();
});

async function workbench(options: WorkbenchOptions = {}): Promise<TestWorkbench> {
  const made = await new TestWorkbench(options).open();
  open.push(made);
  return made;
}

const DIGITS = {
  algorithm: {
    name: "GRPO",
    batch_size: 4,
    group_size: 4,
    lr: 0.001,
    max_output_tokens: 1,
    max_model_len: 32,
  },
  environment: { env_type: "rollout", name: "digits", entrypoint: "rlkit/ConditionalTarget", max_turns: 1 },
  network: { pretrained_model_name_or_path: "rlkit/tiny-digits", max_context_length: 32 },
  training: { pop_size: 1, max_steps: 16, evo_steps: 1, evaluation_interval: 1, eval_loop: 1 },
};

async function trained() {
  const bench = await workbench();
  const id = await bench.trainToEnd(tinyDqn(), 3);
  const reports = await bench.reportsOf(id);
  const [report, member] = reports
    .flatMap((each) => each.members.map((one) => [each, one] as const))
    .find(([{ generation }, { mutation_detail }]) => generation > 1 && mutation_detail) ?? [null, null];
  if (!report) throw new Error("no member mutated");
  return { bench, id, report, mutation: { generation: report.generation, slot: member.slot } };
}

const told = ({ events }: TestWorkbench) =>
  events.flatMap((event: RunEvent) => (event.kind === "explaining" ? [event.explaining] : []));

describe("a test of a mutation", () => {
  it("repeats what the run did, and tells how far it is", async () => {
    const { bench, id, report, mutation } = await trained();
    const found = await bench.coordinator.explain(id, mutation);
    expect(found).toMatchObject(mutation);
    expect(found.own_seed.lines.with_mutation[0]).toBe(report.fitnesses[mutation.slot]);
    expect(found.own_seed.lines.with_mutation).toHaveLength(found.generations);
    expect(found.new_seeds).toHaveLength(10);
    await bench.until((event) => event.kind === "explaining" && event.explaining === null);
    const shares = told(bench).flatMap((explaining) => (explaining ? [explaining.share] : []));
    expect(shares[0]).toBe(0);
    expect(shares.at(-1)).toBe(1);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
  });

  it("can be cancelled, and ends for another one", async () => {
    const { bench, id, mutation } = await trained();
    const { coordinator } = bench;
    const first = coordinator.explain(id, mutation);
    const ended = first.catch(String);
    const second = coordinator.explain(id, mutation);
    await bench.until((event) => event.kind === "explaining" && (event.explaining?.share ?? 0) > 0);
    await coordinator.endExplanation(id);
    await expect(second).rejects.toThrow("The test was cancelled.");
    expect(await ended).toContain("Another mutation is tested now.");
  });

  it("says that it is not possible without a checkpoint", async () => {
    const { bench, id, mutation } = await trained();
    for (const { dir } of await bench.store.checkpoints.list(id)) await bench.files.remove(dir);
    await expect(bench.coordinator.explain(id, mutation)).rejects.toThrow(
      "No checkpoint of this run is stored any more",
    );
  });

  it("says that another version, or another device, would have trained the run", async () => {
    const { bench, id, mutation } = await trained();
    class Other extends OneThread {
      override async generation(...args: Parameters<OneThread["generation"]>) {
        return (await super.generation(...args)).map((outcome) => {
          if (!outcome.ok) return outcome;
          const { agent } = outcome.result;
          const fitness = outcome.result.fitness + 1;
          const members = { ...agent, fitness: [...agent.fitness.slice(0, -1), fitness] };
          return { ...outcome, result: { ...outcome.result, fitness, agent: members } };
        });
      }
    }
    const other = await workbench({ files: bench.files, makeExecutor: () => new Other() });
    await expect(other.coordinator.explain(id, mutation)).rejects.toThrow(
      /^Member \d+ had .* so the run cannot be explained: it was trained by another version of rlkit/,
    );
  });

  it("says that a language model's run cannot be tested", async () => {
    const bench = await workbench({
      makeExecutor: ({ definition }) => new InThreadExecutor((setup) => definition.turnRunner(setup)),
    });
    const id = await bench.trainToEnd(DIGITS, 3);
    await expect(bench.coordinator.explain(id, { generation: 1, slot: 0 })).rejects.toThrow(
      /^Found a run of language-models, and only runs of reinforcement learning can be explained/,
    );
  });
});
