/** Function-preserving changes keep the outputs, in any sequence of changes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EvolvableMultiInput } from "../../../../src/agents/index.ts";
import { duelingData } from "../../../../src/rl/modules/dueling.ts";
import { EvolvableMLP, type EvolvableModule, type ModuleData } from "../../../../src/rl/networks.ts";
import { moduleInputs, runModule, shake } from "../../support/runModule.ts";
import { AnyModule, mixedSpace, moduleOf } from "../support/moduleKinds.ts";
import { mlpSettings } from "../support/settings.ts";

const perceptron = { hidden_size: [12, 10], layer_norm: false, min_mlp_nodes: 8, max_mlp_nodes: 60 };
const convolutions = { channel_size: [5], kernel_size: [2], stride_size: [2], min_channel_size: 4 };

/**
 * Modules and their function-preserving methods. Modules have no layer norm where possible: a norm couples
 * units, so new units would change the normalised values of the others.
 */
const cases: Readonly<
  Record<ModuleData["kind"], readonly [(random_seed: number) => EvolvableModule, readonly string[]]>
> = {
  mlp: [
    (random_seed) => new EvolvableMLP({ num_inputs: 4, num_outputs: 3, ...perceptron, random_seed }),
    ["add_layer", "add_node"],
  ],
  dueling: [
    (random_seed) => {
      const options = { actions: 3, num_atoms: 5, noise_std: 0.5 };
      const data = duelingData(4, mlpSettings(perceptron.hidden_size, perceptron), options);
      return new AnyModule({ ...data, layer_norm: false }, random_seed);
    },
    ["add_layer", "add_node"],
  ],
  simba: [(seed) => moduleOf("simba", seed), ["add_block"]],
  lstm: [(seed) => moduleOf("lstm", seed), ["add_node"]],
  cnn: [(seed) => moduleOf("cnn", seed), ["add_channel"]],
  cnn_lstm: [(seed) => moduleOf("cnn_lstm", seed), ["cnn.add_channel", "lstm.add_node"]],
  resnet: [(seed) => moduleOf("resnet", seed), ["add_block"]],
  multiinput: [
    (random_seed) =>
      new EvolvableMultiInput({
        observation_space: mixedSpace,
        num_outputs: 3,
        latent_dim: 10,
        min_latent_dim: 4,
        max_latent_dim: 40,
        cnn_config: convolutions,
        mlp_config: perceptron,
        vector_space_mlp: true,
        random_seed,
      }),
    ["add_latent_node", "feature_net.the image.add_channel", "vector_mlp.add_layer", "vector_mlp.add_node"],
  ],
};

const sequences = fc.array(fc.nat(1000), { minLength: 1, maxLength: 6 });

describe.each(Object.entries(cases))("%s", (_kind, [make, keeping]) => {
  it("computes the same after each change that keeps the function, whatever came before", () => {
    let kept = 0;
    fc.assert(
      fc.property(sequences, fc.nat(1000), (picks, seed) => {
        const module = make(seed);
        for (const pick of picks) {
          // No parameter is at its initial value, not even those that the last change added.
          shake(module, pick);
          const x = moduleInputs(module.data, 2, pick);
          const before = runModule(module, x);
          const methods = module.mutation_methods;
          const { method, changed } = module.mutate(methods[pick % methods.length] as string);
          if (changed && !keeping.includes(method)) continue;
          if (changed) kept++;
          const apart = runModule(module, x).map((y, i) => Math.abs(y - (before[i] as number)));
          expect(Math.max(...apart)).toBeLessThanOrEqual(changed ? 1e-9 : 0);
        }
      }),
      { numRuns: 15 },
    );
    expect(kept).toBeGreaterThan(0);
  });
});
