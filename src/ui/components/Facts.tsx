import type { ReactNode } from "react";

/** A name with its value. */
export type Fact = readonly [name: ReactNode, value: ReactNode];

/** A {@link Fact}, for names and values that are elements. */
export const fact = (name: ReactNode, value: ReactNode): Fact => [name, value];

interface Props {
  readonly rows: readonly Fact[];
  /** The class says how they lie; with "facts", small names are above their values. */
  readonly className?: string;
  /** Name of the list, for screen readers. */
  readonly label?: string;
}

/** A list of names and their values. */
export function Facts({ rows, className, label }: Props) {
  return (
    <dl className={className} aria-label={label}>
      {rows.map(([name, value], position) => (
        <div key={position}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
