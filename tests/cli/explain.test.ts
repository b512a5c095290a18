import { beforeAll, describe, expect, it } from "vitest";
import type { FileStore } from "../../src/storage/index.ts";
import type { GenerationReport } from "../../src/tracking/observer.ts";
import type { MutationExplanation } from "../../src/training/index.ts";
import { eventsOf, runCli, storeWithManifest, tinyManifest } from "./support.ts";

const weights = (chosen: object) => ({
  probabilities: {
    no_mut: 0.3,
    arch_mut: 0,
    new_layer: 0,
    params_mut: 0,
    act_mut: 0,
    rl_hp_mut: 0,
    ...chosen,
  },
});

/** Members of this manifest never learn, so that their learning rate does nothing. */
const idle = tinyManifest(
  { pop_size: 4, max_steps: 400, evo_steps: 100, learning_delay: 900, eval_steps: 30 },
  { mutation: { ...weights({ rl_hp_mut: 0.7 }), rl_hp_selection: { lr: { min: 1e-5, max: 1e-2 } } } },
);

interface Trained {
  readonly store: FileStore;
  readonly reports: readonly GenerationReport[];
}

async function trained(manifest: string): Promise<Trained> {
  const store = await storeWithManifest(manifest);
  const args = ["train", "m.json", "--workers", "1", "--out", "out", "--json"];
  const { code, stdout, stderr } = await runCli(args, { store });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  const reports = eventsOf(stdout).filter(({ event }) => event === "generation");
  return { store, reports: reports as unknown as GenerationReport[] }; // by their event
}

/** The mutations of a run, as the command names them. */
const mutationsOf = (reports: readonly GenerationReport[]): string[] =>
  reports.flatMap(({ generation, members }) =>
    members.flatMap(({ slot, mutation_detail }) => (mutation_detail ? [`${generation}/${slot}`] : [])),
  );

const explain = (store: FileStore, ...args: string[]) =>
  runCli(["explain", "out", "--workers", "1", "--seeds", "2", ...args], { store });

async function explanation(store: FileStore, ...args: string[]): Promise<MutationExplanation> {
  const { code, stdout, stderr } = await explain(store, "--json", ...args);
  expect([code, stderr]).toEqual([0, expect.not.stringMatching(/^rlkit/m)]);
  return JSON.parse(stdout) as MutationExplanation;
}

let still: Trained;

beforeAll(async () => {
  still = await trained(idle);
});

describe("rlkit explain", () => {
  it("finds no effect of a mutation that can have none, whose member is otherwise the same", async () => {
    const found = await explanation(still.store);
    expect(mutationsOf(still.reports)).toContain(`${found.generation}/${found.slot}`);
    expect(found).toMatchObject({ mutation: "lr", difference: 0, interval: [0, 0], is_evidence: false });
    for (const { with_mutation, without } of [found.own_seed, ...found.new_seeds])
      expect(with_mutation).toBe(without);
    expect(found.new_seeds.map(({ seed }) => seed)).toEqual([43, 44]);
    const { stdout, stderr } = await explain(still.store);
    expect(stdout).toMatch(/^Mutation \d\/\d \(lr\): member \d+, a copy of \d+: lr .+ -> /);
    expect(stdout).toContain("On new seeds: 0 [0, 0], n = 2: not enough evidence that it changed fitness");
    expect(stderr).toContain("Trains generations 1 to 4 again, to find the line of the champion");
  });

  it.each([
    ["tournaments", { hpo: true }, {}],
    ["a search with shared experience", { hpo: "search" }, {}],
    [
      "on-policy members",
      { hpo: true },
      { algorithm: { name: "PPO", learn_step: 64, batch_size: 32 }, replay_buffer: null },
    ],
  ])("with the mutation, repeats what the run did to the bit: %s", async (_, training, sections) => {
    const sizes = { pop_size: 4, max_steps: 600, evo_steps: 100, eval_steps: 40 };
    const { store, reports } = await trained(tinyManifest({ ...sizes, ...training }, sections));
    const all = mutationsOf(reports);
    expect(all.length).toBeGreaterThan(2);
    for (const id of [all[0], all[Math.floor(all.length / 2)], all.at(-1)] as string[]) {
      const { generation, slot, own_seed } = await explanation(store, "--mutation", id);
      expect(`${generation}/${slot}`).toBe(id);
      expect(own_seed.with_mutation).toBe(reports[generation - 1]?.fitnesses[slot]);
    }
  });

  it("sees that noise on weights changes what a member does", async () => {
    const noisy = await trained(
      tinyManifest(
        { pop_size: 3, max_steps: 300, evo_steps: 100, learning_delay: 900 },
        { mutation: { ...weights({ params_mut: 0.7 }), mutation_sd: 5 } },
      ),
    );
    const found = await explanation(
      noisy.store,
      "--generations",
      "2",
      "--mutation",
      mutationsOf(noisy.reports)[0] ?? "",
    );
    expect(found).toMatchObject({ mutation: "param", hyperparameters: {}, generations: 2 });
    expect([found.own_seed, ...found.new_seeds].some(({ difference }) => difference !== 0)).toBe(true);
  });

  it("starts at the nearest checkpoint before the mutation, with the same result", async () => {
    const { training, ...rest } = JSON.parse(idle) as { training: object };
    const kept = await trained(JSON.stringify({ ...rest, training: { ...training, checkpoint_steps: 100 } }));
    const last = mutationsOf(kept.reports).at(-1) ?? "";
    const { stdout, stderr } = await explain(kept.store, "--json", "--mutation", last);
    expect(stderr).not.toContain("No checkpoint");
    const other = await explain(still.store, "--json", "--mutation", last);
    expect(stdout).toBe(other.stdout);
    expect(other.stderr).toMatch(
      /^No checkpoint of generation \d: trains \d generations again from the run's beginning/,
    );
  });

  it("explains a run that was stopped, up to its last boundary", async () => {
    const store = await storeWithManifest(idle);
    const interrupt = (stdout: string) => (stdout.match(/"event":"generation"/g)?.length ?? 0) >= 2;
    const args = ["train", "m.json", "--workers", "1", "--out", "out", "--json"];
    const { code, stdout } = await runCli(args, { store, interrupt });
    expect(code).toBe(130);
    const reports = eventsOf(stdout).filter(({ event }) => event === "generation");
    const [first] = mutationsOf(reports as unknown as GenerationReport[]); // by their event
    expect(await explanation(store, "--mutation", first ?? "")).toMatchObject({
      mutation: "lr",
      difference: 0,
    });
    expect((await explain(store, "--mutation", "4/0")).stderr).toMatch(
      /allowed generations 1 to [23] and slots 0 to 3/,
    );
  });
});

describe("rlkit explain refuses", () => {
  const refusal = async (store: FileStore, ...args: string[]) => {
    const { code, stdout, stderr } = await explain(store, ...args);
    expect([code === 0, stdout]).toEqual([false, ""]);
    return stderr;
  };

  it("what is no mutation of the run", async () => {
    const { reports, store } = still;
    const all = mutationsOf(reports);
    const [none] = reports.flatMap(({ generation, members }) =>
      members.flatMap(({ slot, mutation_detail }) => (mutation_detail ? [] : [`${generation}/${slot}`])),
    );
    expect(await refusal(store, "--mutation", none ?? "")).toMatch(
      new RegExp(
        `found "${none}", whose member began its generation unchanged; mutations of that generation: `,
      ),
    );
    expect(await refusal(store, "--mutation", "lr")).toContain('such as "7/2"');
    expect(await refusal(store, "--mutation", "2/9")).toContain("slots 0 to 3");
    expect(await refusal(store, "--generations", "9", "--mutation", all[0] ?? "")).toContain(
      "the run has 4 generations",
    );
  });

  it("a run without evolution, and a directory without a checkpoint", async () => {
    const plain = await trained(tinyManifest({ hpo: false, max_steps: 200, eval_steps: 20 }));
    expect(await refusal(plain.store)).toContain(
      "out/checkpoint_400: the line of its champion has no mutation",
    );
    expect(await refusal(await storeWithManifest())).toContain("out: holds no checkpoint of a run");
  });

  it("a run that another start would have trained", async () => {
    const { store } = still;
    const args = ["train", "m.json", "--workers", "1", "--resume", "out/elite.safetensors", "--out", "warm"];
    expect((await runCli(args, { store })).code).toBe(0);
    const { code, stderr } = await runCli(["explain", "warm", "--workers", "1"], { store });
    expect([code, stderr]).toEqual([1, expect.stringContaining("trained by another version of rlkit")]);
  });
});
