/** A workload that is no reinforcement learning, as a module that registers it: members climb a hill in random steps. */
import { z } from "zod";
import { Random } from "../../../../src/evolution/index.ts";
import { defineAlgorithm, registerAlgorithmSpec } from "../../../../src/manifests/index.ts";
import { registerWorkload, type TurnOf } from "../../../../src/training/index.ts";
import { jsonFiles } from "../../../../src/training/loop/runFiles.ts";
import { firstState } from "../../../../src/training/loop/Workload.ts";
import { EvolvedMember } from "../../../../src/training/loop/WorkloadDefinition.ts";
import type { Member, Setup, TurnRunner } from "../../../../src/training/loop.ts";
import { evolutionOf } from "../../../../src/training/plan.ts";

interface Climber extends Member {
  readonly place: number;
}
const height = (place: number) => -Math.abs(place - 10);

registerAlgorithmSpec(
  defineAlgorithm({
    name: "HillClimbing",
    title: "Hill climbing",
    schema: z.strictObject({ name: z.literal("HillClimbing"), stride: z.number().default(0.5) }),
    default_hp: ["stride"],
  }),
);

const turnRunner: TurnRunner = {
  hear: () => undefined,
  *turn(agent, { slot, generation }) {
    const random = new Random({ seed: 1, stream: "hill", slot, generation });
    let { place } = agent as Climber;
    for (let step = 0; step < 50; step++) {
      const next = place + (random.uniform() - 0.5) * Number(agent.hyperparameters.stride);
      if (height(next) > height(place)) place = next;
      if (step % 10 === 9) yield { env_steps: 10, learn_steps: 0 };
    }
    const fitness = height(place);
    const after: Climber = { ...agent, place, steps: agent.steps + 50, fitness: [...agent.fitness, fitness] };
    return { slot, agent: after, fitness, score: null, env_steps: 50, learn_steps: 0, metrics: { place } };
  },
  kernels: () => [],
  close: () => undefined,
};

registerWorkload({
  name: "hill",
  turnRunner: async () => turnRunner,
  files: jsonFiles("hill"),
  runs: {
    trains: ({ algorithm }) => String(algorithm.name) === "HillClimbing",
    issues: () => [],
    warnings: () => [],
    deviceOf: () => ({ device: "wasm", notice: null }),
    prepare: (manifest, seed, population) => {
      const { selection, mutation, hp_config } = evolutionOf(manifest, seed, population);
      return {
        plan: { max_steps: manifest.training.max_steps, target: manifest.training.target_score },
        selection,
        mutation,
        workload: {
          setup: ({ members }): Setup => ({ workload: "hill", members: members.length }),
          evolved: (agent) => new EvolvedMember(agent, hp_config),
          turn: (_agent, slot, _state, generation): TurnOf => ({ slot, generation }),
          gather: () => ({ shared: {}, news: [] }),
          describe: () => "a place",
        },
      };
    },
    firstState: ({ algorithm, training }) => {
      // Its own algorithm's fields, which the types of manifests do not know.
      const { stride } = algorithm as unknown as { readonly stride: number };
      const climber = (index: number): Climber => ({
        index,
        parent: null,
        place: index,
        hyperparameters: { stride },
        fitness: [],
        steps: 0,
        mut: "None",
      });
      return firstState(Array.from({ length: training.pop_size }, (_, index) => climber(index)));
    },
    fitted: (state) => state,
    facts: () => ({}),
  },
});
