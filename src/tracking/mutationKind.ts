/** Kinds of mutation, in the order of their codes in columns of numbers. */
export const MUTATION_KINDS = ["none", "parameters", "architecture", "activation", "hyperparameter"] as const;
export type MutationKind = (typeof MUTATION_KINDS)[number];

const KINDS: Readonly<Record<string, MutationKind>> = {
  None: "none",
  "": "none",
  param: "parameters",
  act: "activation",
};

/** The kind of mutation that a label names: what is no word of its own is a hyperparameter's name, or a method. */
export const mutationKindOf = (
  label: string,
  hyperparameters: Readonly<Record<string, unknown>>,
): MutationKind =>
  KINDS[label] ?? (Object.hasOwn(hyperparameters, label) ? "hyperparameter" : "architecture");
