import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { DocumentationLink } from "./DocumentationLink.tsx";

interface Props {
  readonly title: string;
  /** Further text, if needed. */
  readonly children?: ReactNode;
  /** The next step: a button or a link. */
  readonly action?: ReactNode;
}

interface EmptyProps extends Props {
  /** The page of the documentation that says more, and its link's text. */
  readonly guide?: readonly [page: string, text: string];
}

const Words = ({ title, children, action }: Props) => (
  <>
    <p className="view-state__title medium">{title}</p>
    {children !== undefined && <div className="view-state__text breaks">{children}</div>}
    {action}
  </>
);

/** Shown instead of a view that has no content yet. */
export const EmptyView = ({ guide, ...props }: EmptyProps) => (
  <div className="view-state">
    <Words {...props} />
    {guide && <DocumentationLink page={guide[0]}>{guide[1]}</DocumentationLink>}
  </div>
);

interface FailedProps extends Props {
  /** Loads the view again. */
  readonly onRetry?: () => void;
}

/** Shown instead of a view that failed to load. */
export const FailedView = ({ onRetry, ...props }: FailedProps) => (
  <div className="view-state view-state--failed" role="alert">
    <Words {...props} />
    {onRetry && <Button onClick={onRetry}>Try again</Button>}
  </div>
);

interface SkeletonProps {
  /** Says what is loading, for screen readers. */
  readonly label: string;
  readonly rows?: number;
}

/** Shown instead of a view that is loading; visible only if loading takes noticeably long. */
export function SkeletonView({ label, rows = 6 }: SkeletonProps) {
  return (
    <div className="skeleton grid gap-2 panel__body" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // Rows are identified only by their position, and never move.
        <span key={row} className="skeleton__row" aria-hidden="true" />
      ))}
    </div>
  );
}
