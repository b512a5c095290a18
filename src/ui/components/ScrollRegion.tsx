import type { ReactNode } from "react";

interface Props {
  readonly label: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A scrollable region for oversized content, which the keyboard can scroll too. */
export function ScrollRegion({ label, className = "table-scroll", children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- arrow keys scroll what has the focus
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
