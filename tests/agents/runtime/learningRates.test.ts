import { describe, expect, it } from "vitest";
import { algorithmOf, EvolvableAgent, findAlgorithm } from "../../../src/agents/members.ts";
import { HyperparameterConfig, Mutations, RLParameter } from "../../../src/evolution/index.ts";
import { type AlgoSpecInput, listAlgorithms } from "../../../src/manifests/index.ts";
import { agentOf } from "../../rl/support/agents.ts";
import { smallTask } from "../../rl/support/smallTask.ts";
import { compiledTurn } from "../../rl/support/turns.ts";

const ONLY_HYPERPARAMETERS = {
  no_mutation: 0,
  architecture: 0,
  new_layer_prob: 0,
  parameters: 0,
  activation: 0,
  rl_hp: 1,
};

/** Each learning rate of each algorithm that learns by acting in an environment. */
const rates = listAlgorithms().flatMap(({ name, runs, language_model, offline, bandit }) => {
  const acts = runs && !language_model && !offline && !bandit;
  const optimizers = acts ? Object.values(findAlgorithm(name).optimizers) : [];
  return [...new Set(optimizers.map(({ lr }) => lr))].map((lr) => [name, lr] as const);
});

describe("a mutation of a learning rate", () => {
  it.each(rates)("of %s, %s, reaches every optimiser that names it and no other", (name, lr) => {
    const algorithm = findAlgorithm(name);
    const { environment, network } = smallTask(algorithm);
    const fields =
      algorithm.kind === "evolution"
        ? { perturbations: 4 }
        : { batch_size: 8, learn_step: algorithm.kind === "on_policy" ? 32 : 2 };
    const spec = { name, ...fields } as AlgoSpecInput;
    // Mutated to zero: networks that train with this rate do not change.
    const hp_config = new HyperparameterConfig({ [lr]: new RLParameter({ min: 0, max: 0 }) });
    const start = agentOf(spec, { ...environment, network });
    const member = new EvolvableAgent(start, { algorithm: algorithmOf(start), hp_config });
    new Mutations(ONLY_HYPERPARAMETERS).mutation([member]);
    expect(member.mut).toBe(lr);
    const before = member.state;
    const { agent, learn_steps } = compiledTurn(before, environment, {
      evo_steps: 64,
      num_envs: 2,
      eval_steps: 5,
    });
    expect(learn_steps).toBeGreaterThan(0);
    for (const optimizer of Object.values(algorithmOf(agent).optimizers)) {
      const { networks, parameters = [] } = optimizer;
      const trained = ({ networks: all, parameters: own }: typeof agent) => [
        ...networks.map((network) => JSON.stringify(all[network]?.tensors)),
        ...parameters.map((parameter) => JSON.stringify(own?.[parameter])),
      ];
      const after = trained(agent);
      const still = trained(before).map((value, i) => value === after[i]);
      expect(new Set(still)).toEqual(new Set([optimizer.lr === lr]));
    }
  });
});
