import type { AgentFile, AgentRef, KeptAgent, PageCalls } from "../../../src/workers/protocol.ts";
import type { FakeRun } from "./FakeRun.ts";
import { fakeNetworks } from "./fakeNetworks.ts";
import { historyOf } from "./histories.ts";

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

const isEqual = (a: AgentRef, b: AgentRef): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Members of a fake run's last generation, the elite first; those that nobody trained before it. */
function keptOf({ generations, options }: FakeRun): KeptAgent[] {
  const last = generations.at(-1);
  if (!last)
    return Array.from({ length: options.population }, (_, index) => ({
      ref: { kind: "member", index } as const,
      index,
      generation: 0,
      fitness: null,
    }));
  const { generation, members, elite } = last;
  const best = members[elite];
  return [
    ...(best
      ? [{ ref: { kind: "elite" } as const, index: best.index, generation, fitness: finite(best.fitness) }]
      : []),
    ...members.map(({ index, fitness }) => ({
      ref: { kind: "member", index } as const,
      index,
      generation,
      fitness: finite(fitness),
    })),
  ];
}

/** What a fake coordinator keeps of its runs. */
export function fakeKeeping(runs: Map<string, FakeRun>, run: (id: string) => FakeRun) {
  let policy = { keep_last: 2, keep_best: true, elite_bytes: 64e6, population_bytes: 64e6 };
  /** Weights that nobody trained; an agent's identity is their seed. */
  const file = async (found: FakeRun, ref: AgentRef): Promise<AgentFile> => {
    const kept = keptOf(found).find((one) => isEqual(one.ref, ref));
    if (!kept) throw new Error("This agent is not stored; choose another agent.");
    const { index, generation, fitness } = kept;
    const { algorithm, environment } = found.options;
    // The library of agents is loaded only where somebody plays.
    const { agentFile } = await import("./stageAgents.ts");
    return agentFile(index, {
      algorithm: algorithm === "PPO" ? "PPO" : "DQN",
      environment,
      generation,
      fitness,
    });
  };
  return {
    history: async (id, from) => {
      return historyOf(run(id).generations.filter(({ generation }) => generation >= from));
    },
    agents: async (id) => keptOf(run(id)),
    agent: async (id, ref) => file(run(id), ref),
    players: async (id) => {
      const members = keptOf(run(id)).filter(({ ref }) => ref.kind === "member");
      return Promise.all(members.map(({ ref }) => file(run(id), ref)));
    },
    network: async (id) => {
      run(id);
      return fakeNetworks();
    },
    extend: async (id) => run(id).setState("running"),
    fork: async (id) => run(id).options.id,
    discard: async (id) => {
      run(id);
      runs.delete(id);
    },
    rename: async (id, name) => run(id).edit({ name }),
    setTags: async (id, tags) => run(id).edit({ tags }),
    setNote: async (id, note) => run(id).edit({ note }),
    steer: async (id, action) => run(id).steer(action),
    // A copy, as it comes from another thread.
    steering: async (id) => [...run(id).steering],
    checkpoints: async (id) => run(id).checkpoints,
    pin: async (id, generation, pinned) => {
      const found = run(id);
      found.checkpoints = found.checkpoints.map((one) =>
        one.generation === generation ? { ...one, pinned } : one,
      );
    },
    deleteCheckpoint: async (id, generation) => {
      const found = run(id);
      found.checkpoints = found.checkpoints.filter((one) => one.generation !== generation);
    },
    exportRun: async (id) => ({
      name: `${run(id).options.name}.rlkit.zip`,
      type: "application/zip",
      bytes: new Uint8Array([9]),
    }),
    importRun: async () => {
      throw new Error("import: is not a zip file; nothing was imported, export the run again");
    },
    persist: async () => true,
    policy: async () => policy,
    setPolicy: async (next) => {
      policy = next;
    },
  } satisfies Partial<PageCalls>;
}
