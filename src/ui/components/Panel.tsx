import type { ReactNode, Ref } from "react";

interface Props {
  /** The heading. */
  readonly title: string;
  /** Name of the section, for screen readers. Defaults to the heading. */
  readonly label?: string;
  /** Content beside the heading, such as buttons. */
  readonly head?: ReactNode;
  readonly className?: string | undefined;
  readonly ref?: Ref<HTMLElement>;
  readonly children?: ReactNode;
}

/** A section of a page, with its heading. */
export function Panel({ title, label = title, head, className, ref, children }: Props) {
  return (
    <section className={className ? `panel ${className}` : "panel"} aria-label={label} ref={ref}>
      <div className="row panel__head">
        <h2>{title}</h2>
        {head}
      </div>
      {children}
    </section>
  );
}
