/** Compares gradients of an agent's losses with numerical slopes of the same losses in f64. */
import { expect } from "vitest";
import { type AgentState, findAlgorithm, structureOf } from "../../../../src/agents/members.ts";
import { type Binding, type Program, state, type Tensor } from "../../../../src/kernels/index.ts";
import { hyperparameterName, parameterName } from "../../../../src/rl/contract.ts";
import { gradientsOf, type Learner, trainedBy } from "../../../../src/rl/programs/learning.ts";
import { type Buffers, runOnReference } from "../../../kernels/support/run.ts";
import { expectSlope, slope } from "../../../kernels/support/slopes.ts";

/** Output of a program: only the loss, which is fast, or its gradients. */
export type LossPart = "loss" | "gradients";

/** Writes the loss to `loss`, or the gradients of a learning step to `grad.<network>.<tensor>`. */
export function writeLoss(
  part: LossPart,
  agent: AgentState,
  learner: Learner,
  optimizer: string,
  loss: Tensor,
): void {
  if (part === "loss") {
    state("loss", []).write(loss);
    return;
  }
  const structure = structureOf(agent);
  const gradients = gradientsOf(structure, learner, { [optimizer]: loss })[optimizer]?.flat() ?? [];
  trainedBy(structure, learner, optimizer)
    .flat()
    .forEach(({ parameter: { decl } }, i) => {
      const gradient = gradients[i] as Tensor;
      state(`grad.${decl.name}`, gradient.shape).write(gradient);
    });
}

/** An agent's hyperparameters and weights, slightly perturbed so that none is at its initial value. */
export function agentBuffers(agent: AgentState, next: () => number): Buffers {
  const weights = Object.entries(agent.networks).flatMap(([name, { tensors }]) =>
    Object.entries(tensors).map(([key, values]): [string, number[]] => [
      `${name}.${key}`,
      Array.from(values, (v) => v + 0.2 * (2 * next() - 1)),
    ]),
  );
  const hyperparameters = Object.entries(agent.hyperparameters).flatMap(([name, value]) =>
    typeof value === "number" ? [[hyperparameterName(name), [value]] as const] : [],
  );
  const parameters = Object.entries(agent.parameters ?? {}).map(([name, { values }]): [string, number[]] => [
    parameterName(name),
    Array.from(values, (v) => v + 0.2 * (2 * next() - 1)),
  ]);
  return {
    ...Object.fromEntries(weights),
    ...Object.fromEntries(parameters),
    ...Object.fromEntries(hyperparameters),
  };
}

export interface LossCase {
  readonly agent: AgentState;
  readonly optimizer: string;
  /** Programs that write the loss and its gradients as {@link writeLoss} does. */
  readonly loss: Program;
  readonly gradients: Program;
  readonly binding: Binding;
  readonly initial: Buffers;
}

/**
 * Asserts that the gradients of everything that the optimiser trains match slopes.
 * @returns The tensors whose gradients are all zero.
 */
export function expectSlopes({ agent, optimizer, loss, gradients, binding, initial }: LossCase): string[] {
  const after = runOnReference(gradients, binding, initial, { precision: "f64" });
  const { networks = [], parameters = [] } = findAlgorithm(agent.algorithm).optimizers[optimizer] ?? {};
  const inNetworks = networks.flatMap((network) =>
    Object.keys(agent.networks[network]?.tensors ?? {}).map((key) => `${network}.${key}`),
  );
  const trained = [...inNetworks, ...parameters.map(parameterName)];
  expect(trained.length).toBeGreaterThan(0);
  for (const name of trained) {
    const size = initial[name]?.length ?? 0;
    for (const element of new Set([0, Math.floor(size / 2), size - 1]))
      expectSlope(
        after[`grad.${name}`]?.[element],
        slope(loss, binding, initial, name, element),
        `${name}[${element}]`,
      );
  }
  return trained.filter((name) => !after[`grad.${name}`]?.some((g) => g !== 0));
}
