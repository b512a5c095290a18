import type { ReactNode } from "react";
import "./ViewState.css";

interface Props {
  readonly title: string;
  /** More words, if needed. */
  readonly children?: ReactNode;
  /** The one thing to do next: a button or a link. */
  readonly action?: ReactNode;
}

/** In place of a view that has nothing to show yet. */
export function EmptyView({ title, children, action }: Props) {
  return (
    <div className="view-state">
      <p className="view-state__title">{title}</p>
      {children !== undefined && <div className="view-state__text">{children}</div>}
      {action}
    </div>
  );
}

/** In place of a view that could not be made. */
export function FailedView({ title, children, action }: Props) {
  return (
    <div className="view-state view-state--failed" role="alert">
      <p className="view-state__title">{title}</p>
      {children !== undefined && <div className="view-state__text">{children}</div>}
      {action}
    </div>
  );
}

interface SkeletonProps {
  /** What is on its way, for screen readers. */
  readonly label: string;
  readonly rows?: number;
}

/** In place of a view that is on its way; seen only when that takes long enough to be noticed. */
export function SkeletonView({ label, rows = 6 }: SkeletonProps) {
  return (
    <div className="skeleton" aria-busy="true">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        // Rows have no identity but their place, and never move.
        <span key={row} className="skeleton__row" aria-hidden="true" />
      ))}
    </div>
  );
}
