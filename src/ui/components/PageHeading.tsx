import { type ReactNode, useLayoutEffect, useRef } from "react";
import { isHeadingAwaited } from "../routes/navigation.ts";

interface Props {
  /** The page's name, also used for the tab title. */
  readonly title: string;
  /** Shown instead of the name. */
  readonly children?: ReactNode;
}

/**
 * A page's top-level heading. Sets the tab title, and takes the focus when the user followed a link to the
 * page.
 */
export function PageHeading({ title, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${title} · rlkit`;
  }, [title]);
  useLayoutEffect(() => {
    if (!isHeadingAwaited()) return;
    window.scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className="page-heading">
      {children ?? title}
    </h1>
  );
}

interface HeadProps {
  readonly title: string;
  /** One or two sentences below the heading. */
  readonly text?: string;
  /** Id of the heading with its text. */
  readonly id?: string;
  /** Buttons and links beside the heading. */
  readonly children?: ReactNode;
}

/** The top of a page: its heading, and its actions. */
export function PageHead({ title, text, id, children }: HeadProps) {
  return (
    <div className="row page__head">
      <div className="page__head-text grid gap-1" id={id}>
        <PageHeading title={title} />
        {text && <p className="soft">{text}</p>}
      </div>
      {children && <div className="row">{children}</div>}
    </div>
  );
}
