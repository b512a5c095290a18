import { type ReactNode, useState } from "react";

interface Props {
  /** Id of what names the thing, for screen readers. */
  readonly describedBy?: string;
  /** What goes with it; shown while it is asked. */
  readonly warning?: ReactNode;
  readonly onDelete: () => void;
}

/** Deletes something; asks once more, in place. */
export function DeleteButton({ describedBy, warning, onDelete }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      {asking && warning}
      {/* The first press only asks, and a second one on the same place takes it back. */}
      <button
        type="button"
        className="button button--quiet button--small"
        aria-describedby={describedBy}
        onClick={() => setAsking(!asking)}
      >
        {asking ? "Keep" : "Delete"}
      </button>
      {asking && (
        <button
          type="button"
          className="button button--small button--danger"
          aria-describedby={describedBy}
          onClick={onDelete}
        >
          Delete for good
        </button>
      )}
    </>
  );
}
