import type { MutationKind } from "../../tracking/mutationKind.ts";

export type { MutationKind };

interface MutationShape {
  /** What it is called where people read it. */
  readonly label: string;
  /** Outline around (0, 0), between -5 and 5 on both axes; fit for SVG and for Path2D. */
  readonly path: string;
}

/** A shape for each kind, so that none is told by colour alone. */
export const MUTATION_SHAPES: Readonly<Record<MutationKind, MutationShape>> = {
  none: { label: "no mutation", path: "M2 0A2 2 0 1 1-2 0 2 2 0 1 1 2 0Z" },
  parameters: { label: "weights", path: "M0-5 5 0 0 5-5 0Z" },
  architecture: { label: "architecture", path: "M-4-4H4V4H-4Z" },
  activation: { label: "activation", path: "M0-4.5 4.75 4H-4.75Z" },
  hyperparameter: { label: "hyperparameter", path: "M4.5 0A4.5 4.5 0 1 1-4.5 0 4.5 4.5 0 1 1 4.5 0Z" },
};
