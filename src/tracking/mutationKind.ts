/** Kinds of mutation, in the order of their codes in numeric columns. */
export const MUTATION_KINDS = ["none", "parameters", "architecture", "activation", "hyperparameter"] as const;
export type MutationKind = (typeof MUTATION_KINDS)[number];

const KINDS: Readonly<Record<string, MutationKind>> = {
  None: "none",
  "": "none",
  param: "parameters",
  act: "activation",
};

/**
 * The kind of mutation that a label names. Other labels are names of hyperparameters
 * or of architecture methods.
 */
export const mutationKindOf = (
  label: string,
  hyperparameters: Readonly<Record<string, unknown>>,
): MutationKind =>
  KINDS[label] ?? (Object.hasOwn(hyperparameters, label) ? "hyperparameter" : "architecture");
