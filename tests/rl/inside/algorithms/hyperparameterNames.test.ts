/** Names of hyperparameters in an algorithm's definition. The compiler checks those of this file too. */
// @apart: it registers what the library does not have.

import { expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { createPopulation } from "../../../../src/agents/classes.ts";
import { registerAlgorithm } from "../../../../src/agents/index.ts";
import { mul } from "../../../../src/kernels/index.ts";
import { findAlgorithm } from "../../../../src/manifests/algorithms.ts";
import type { FieldName, NumberName } from "../../../../src/rl/contract/inputs.ts";
import {
  defineOffPolicy,
  flag,
  hyperparameter,
  type OnPolicyAlgorithm,
  requireHyperparameters,
} from "../../../../src/rl/contract.ts";
import { ALGORITHMS, DQN, DQN_DEFINITION, PPO_DEFINITION } from "../../../../src/rl/definitions.ts";
import { SingleAgentAlgorithmSpec } from "../../../../src/rl/sections/agentSpecs.ts";
import { Box, Discrete } from "../../../../src/rl/spaces.ts";
import { type AlgorithmDefinition, defineAlgorithm } from "../../../../src/specs/algorithms.ts";
import { atLeast, field } from "../../../../src/specs/checks.ts";

const specNamed = <const Name extends string>(name: Name) =>
  defineAlgorithm({
    name,
    title: name,
    off_policy: true,
    schema: z.strictObject({
      name: field(z.literal(name).default(name as never), "One more."),
      ...SingleAgentAlgorithmSpec.shape,
      rate: field(atLeast(0).default(0.01), "Learning rate."),
      tau: field(atLeast(0).default(0.01), "Share of the target."),
    }),
    default_hp: ["rate"],
  });

const OWN = specNamed("OwnNames");

/** The mathematics of DQN, which its users would write themselves. */
const {
  spec: _spec,
  optimizers: _optimizers,
  structural: _structural,
  counts: _counts,
  delayed: _delayed,
  ...mathematics
} = DQN as never as Omit<
  Parameters<
    typeof defineOffPolicy<AlgorithmDefinition, "Discrete", "actor" | "actor_target", "actor", number>
  >[0],
  never
>;
const optimizer = { networks: ["actor"] } as const;

it("are those of the spec, in types", () => {
  expectTypeOf<"lr">().toExtend<NumberName<typeof DQN_DEFINITION>>();
  expectTypeOf<"double">().toExtend<FieldName<typeof DQN_DEFINITION>>();
  expectTypeOf<"double">().not.toExtend<NumberName<typeof DQN_DEFINITION>>();
  expectTypeOf<"lrr">().not.toExtend<FieldName<typeof DQN_DEFINITION>>();
  expectTypeOf<NumberName<AlgorithmDefinition>>().toEqualTypeOf<string>();
  const own = { ...mathematics, spec: OWN, structural: [], counts: [] } as const;
  expect(defineOffPolicy({ ...own, optimizers: { optimizer: { ...optimizer, lr: "rate" } } }).name).toBe(
    "OwnNames",
  );
  // @ts-expect-error -- Its spec has no such field.
  defineOffPolicy({ ...own, optimizers: { optimizer: { ...optimizer, lr: "rrate" } } });
  // @ts-expect-error -- Nor this one for the norm of gradients.
  defineOffPolicy({ ...own, optimizers: { optimizer: { ...optimizer, lr: "rate", max_grad_norm: "norm" } } });
  // @ts-expect-error -- Not a number.
  defineOffPolicy({ ...own, optimizers: { optimizer: { ...optimizer, lr: "normalize_images" } } });
  const builtIn = { ...mathematics, spec: DQN_DEFINITION, structural: [], counts: [] } as const;
  expect(defineOffPolicy({ ...builtIn, optimizers: { optimizer: { ...optimizer, lr: "lr" } } }).name).toBe(
    "DQN",
  );
  // @ts-expect-error -- Nor has that of DQN.
  defineOffPolicy({ ...builtIn, optimizers: { optimizer: { ...optimizer, lr: "lrr" } } });
});

it("are those of the spec where learning reads them, in types", () => {
  const learning = (name: "normalize_images") =>
    defineOffPolicy({
      ...mathematics,
      spec: OWN,
      optimizers: { optimizer: { ...optimizer, lr: "rate" } },
      structural: [name],
      counts: [],
      networks: (context) => {
        flag(context.hyperparameters, "normalize_images");
        // @ts-expect-error -- Its spec has no such field.
        flag(context.hyperparameters, "normalise_images");
        return mathematics.networks(context);
      },
    });
  expect(learning("normalize_images").structural).toEqual(["normalize_images"]);
});

it("are fields of the spec, in every algorithm of this build", () => {
  for (const algorithm of ALGORITHMS) expect(() => requireHyperparameters(algorithm)).not.toThrow();
});

it("are refused at registration, all at once, each with its place", () => {
  const wrong = defineOffPolicy({
    ...mathematics,
    spec: OWN as AlgorithmDefinition,
    optimizers: { optimizer: { ...optimizer, lr: "rrate", max_grad_norm: "norm" } },
    structural: ["double"],
    counts: ["learn_steps"],
    delayed: { every: "policy_freq", optimizers: [], metrics: [], learn: mathematics.learn },
  });
  const refused = () => registerAlgorithm(wrong);
  expect(refused).toThrow(
    'OwnNames.optimizers.optimizer.lr: found "rrate", which is no field of the spec of OwnNames; did you mean "rate"?; allowed: batch_size, learn_step,',
  );
  for (const place of ["optimizers.optimizer.max_grad_norm", "structural.0", "counts.0", "delayed.every"])
    expect(refused).toThrow(`OwnNames.${place}: found`);
  expect(findAlgorithm("OwnNames")).toBeUndefined();
});

it("are refused where a program reads them, before it learns with a number of nothing", () => {
  const reads = defineOffPolicy({
    ...mathematics,
    spec: specNamed("OwnReads") as AlgorithmDefinition,
    optimizers: { optimizer: { ...optimizer, lr: "rate" } },
    structural: [],
    counts: [],
    learn: (...given) => {
      const { losses, metrics } = mathematics.learn(...given);
      return { losses: { optimizer: mul(losses.optimizer ?? 0, hyperparameter("weigth")) }, metrics };
    },
  });
  registerAlgorithm(reads);
  const [agent] = createPopulation({
    algorithm: { name: "OwnReads" } as never,
    observation_space: new Box({ low: 0, high: 1, shape: [2] }),
    action_space: new Discrete(2),
    population_size: 1,
  }) as unknown as [{ learn(experiences: object): number }]; // The types know no agents of registered algorithms.
  const row = { obs: [0, 0], action: 0, reward: 0, next_obs: [0, 0], done: 0 };
  expect(() => agent.learn(row)).toThrow(
    'found "weigth", which is no field of the spec of OwnReads; allowed: batch_size,',
  );
});

it("are checked in on-policy algorithms too", () => {
  const wrong = {
    spec: PPO_DEFINITION,
    optimizers: { optimizer: { networks: [], lr: "rate" } },
    structural: [],
    counts: [],
  };
  expect(() => registerAlgorithm(wrong as never as OnPolicyAlgorithm)).toThrow("PPO.optimizers.optimizer.lr");
});
