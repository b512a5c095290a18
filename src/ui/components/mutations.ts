import type { MutationKind } from "../../tracking/history.ts";

export type { MutationKind };

interface MutationShape {
  /** The name shown to users. */
  readonly label: string;
  /** Outline around (0, 0), between -5 and 5 on both axes; a path for SVG and Path2D. */
  readonly path: string;
}

/** One shape per kind, so that kinds are not told apart by colour alone. */
export const MUTATION_SHAPES: Readonly<Record<MutationKind, MutationShape>> = {
  none: { label: "no mutation", path: "M2 0A2 2 0 1 1-2 0 2 2 0 1 1 2 0Z" },
  parameters: { label: "weights", path: "M0-5 5 0 0 5-5 0Z" },
  architecture: { label: "architecture", path: "M-4-4H4V4H-4Z" },
  activation: { label: "activation", path: "M0-4.5 4.75 4H-4.75Z" },
  hyperparameter: { label: "hyperparameter", path: "M4.5 0A4.5 4.5 0 1 1-4.5 0 4.5 4.5 0 1 1 4.5 0Z" },
};

const PLAIN: Readonly<Record<string, string>> = {
  None: "none",
  param: "weights",
  act: "activation",
};

/** The displayed name of a mutation; names of hyperparameters and methods stay as they are. */
export const mutationName = (mutation: string): string => PLAIN[mutation] ?? mutation;
