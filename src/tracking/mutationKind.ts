/** Kinds of mutation, in the order of their codes in numeric columns. */
export const MUTATION_KINDS = ["none", "parameters", "architecture", "activation", "hyperparameter"] as const;
export type MutationKind = (typeof MUTATION_KINDS)[number];

const KINDS: Readonly<Record<string, MutationKind>> = {
  None: "none",
  "": "none",
  param: "parameters",
  act: "activation",
  explore: "hyperparameter",
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

/**
 * The kind of mutation with which a member began a generation. Its label stays until its next mutation, so the label
 * of a member that continues unchanged names an earlier one.
 * @param before its label in the previous generation; undefined if it is new
 * @internal
 */
export function mutationKindAt(
  {
    mutation = "",
    mutation_detail,
    hyperparameters = {},
  }: {
    readonly mutation?: string;
    readonly mutation_detail?: { readonly kind: MutationKind };
    readonly hyperparameters?: Readonly<Record<string, unknown>>;
  },
  before: string | undefined,
): MutationKind {
  if (mutation_detail) return mutation_detail.kind;
  return before === mutation ? "none" : mutationKindOf(mutation, hyperparameters);
}
