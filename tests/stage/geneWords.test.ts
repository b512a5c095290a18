import { expect, it } from "vitest";
import { geneWords } from "../../src/stage/geneWords.ts";
import { MUTATION_KINDS } from "../../src/tracking/history.ts";
import type { MutationDetail } from "../../src/tracking/observer.ts";

const cases: readonly (readonly [string, MutationDetail, string | null])[] = [
  ["None", { kind: "none" }, null],
  ["param", { kind: "parameters", network: "actor" }, "weights shift"],
  ["act", { kind: "activation", from: "ReLU", to: "Tanh" }, "activation ReLU → Tanh"],
  ["act", { kind: "activation" }, "activation"],
  ["lr", { kind: "hyperparameter", method: "lr", from: 0.0012, to: 0.00144 }, "lr × 1.2"],
  ["batch_size", { kind: "hyperparameter", from: 409, to: 327 }, "batch size × 0.8"],
  ["ent_coef", { kind: "hyperparameter", method: "ent_coef", from: 0, to: 0.01 }, "ent coef 0 → 0.01"],
  ["optimizer", { kind: "hyperparameter", from: "adam", to: "sgd" }, "optimizer adam → sgd"],
  ["explore", { kind: "hyperparameter" }, "explore"],
  [
    "encoder.add_node",
    { kind: "architecture", method: "encoder.add_node", from: 16, to: 17 },
    "a neuron grows",
  ],
  ["add_latent_node", { kind: "architecture", from: 12, to: 20 }, "8 neurons grow"],
  ["head_net.remove_node", { kind: "architecture", from: 28, to: 12 }, "16 neurons go"],
  ["head_net.add_layer", { kind: "architecture", from: 4, to: 5 }, "a layer grows"],
  ["head_net.remove_layer", { kind: "architecture" }, "a layer goes"],
  ["encoder.add_channel", { kind: "architecture", from: 16, to: 32 }, "16 channels grow"],
  ["encoder.remove_block", { kind: "architecture" }, "a block goes"],
  ["encoder.change_kernel", { kind: "architecture", from: 3, to: 5 }, "change kernel 3 → 5"],
];

it.each(cases)("%s %j: %s", (mutation, detail, words) => {
  expect(geneWords(detail, mutation)).toBe(words);
});

it("has words for every kind of mutation", () => {
  expect(new Set(cases.map(([, { kind }]) => kind))).toEqual(new Set(MUTATION_KINDS));
});
