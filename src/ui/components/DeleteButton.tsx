import { type ReactNode, useState } from "react";

interface Props {
  /** Id of the element that names the item, for screen readers. */
  readonly describedBy?: string;
  /** Names what else the deletion affects; shown while the button asks for confirmation. */
  readonly warning?: ReactNode;
  readonly onDelete: () => void;
}

/** A delete button that asks for confirmation in place. */
export function DeleteButton({ describedBy, warning, onDelete }: Props) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      {asking && warning}
      {/* The first press only asks; a second press in the same place cancels. */}
      <button
        type="button"
        className="button button--quiet button--small"
        aria-describedby={describedBy}
        onClick={() => setAsking(!asking)}
      >
        {asking ? "Cancel" : "Delete"}
      </button>
      {asking && (
        <button
          type="button"
          className="button button--small button--danger"
          aria-describedby={describedBy}
          onClick={onDelete}
        >
          Delete permanently
        </button>
      )}
    </>
  );
}
