import { type ReactNode } from "react";
import { MUTATION_SHAPES, type MutationKind } from "./mutations.ts";
import "./components.css";

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
    <svg className="mutation-mark" viewBox="-6 -6 12 12" data-mutation={kind} {...named}>
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
  <ul className={small ? "legend legend--small" : "legend"} aria-label="Legend">
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
