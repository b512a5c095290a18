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
