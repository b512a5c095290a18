import "./components.css";
import type { ReactNode } from "react";
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

interface Props {
  readonly kind: MutationKind;
  /** Accessible name. Leave it out if adjacent text says the same. */
  readonly label?: string;
}

/** A mutation kind as a shape in the text colour. */
export function MutationMark({ kind, label }: Props) {
  const named =
    label === undefined ? ({ "aria-hidden": true } as const) : { role: "img", "aria-label": label };
  return (
    <svg className="mutation-mark rigid" viewBox="-6 -6 12 12" data-mutation={kind} {...named}>
      <path d={MUTATION_SHAPES[kind].path} />
    </svg>
  );
}

/** A short sample of a line of descent. @param colour index of the lineage's colour, 0 to 7 */
export function LineageSwatch({ colour }: { readonly colour: number }) {
  return (
    <svg className="swatch" viewBox="0 0 18 8" aria-hidden="true">
      <path d="M1 4h16" stroke={`var(--slot-${colour})`} />
    </svg>
  );
}

/** Entries of a legend, each a sample beside its words. @param small for several charts */
export const Legend = ({ small, children }: { readonly small?: boolean; readonly children: ReactNode }) => (
  <ul className={small ? "legend legend--small soft" : "legend soft"} aria-label="Legend">
    {children}
  </ul>
);

/** An entry of a legend. @param of name of its sample */
export const LegendEntry = ({
  of: name,
  children,
}: {
  readonly of: string;
  readonly children: ReactNode;
}) => (
  <li>
    <i className={`legend__${name}`} aria-hidden="true" /> {children}
  </li>
);
