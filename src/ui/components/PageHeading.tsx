import { type ReactNode, useLayoutEffect, useRef } from "react";
import { isHeadingAwaited } from "../routes/navigation.ts";

interface Props {
  /** The page's name, in the tab's title too. */
  readonly title: string;
  /** Shown in place of the name. */
  readonly children?: ReactNode;
}

/** A page's first heading: names the tab, and takes the focus when somebody came to the page by a link. */
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
