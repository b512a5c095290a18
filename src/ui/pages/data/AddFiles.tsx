import { useRef } from "react";
import { chosenFiles, type PickedFiles } from "./pickedFiles.ts";

interface Props {
  readonly busy: boolean;
  readonly onPick: (pick: PickedFiles | null) => void;
}

/** Buttons that open the browser's dialogs: for a folder, and for files. */
export function AddFiles({ busy, onPick }: Props) {
  return (
    <>
      <Chooser label="Add folder" folder busy={busy} onPick={onPick} />
      <Chooser label="Add files" busy={busy} onPick={onPick} />
    </>
  );
}

function Chooser({ label, folder = false, busy, onPick }: Props & { label: string; folder?: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className="button"
        aria-disabled={busy}
        aria-busy={busy}
        onClick={() => {
          if (!busy) input.current?.click();
        }}
      >
        {label}
      </button>
      <input
        ref={(element) => {
          input.current = element;
          // React does not support this attribute on inputs.
          if (element !== null) element.webkitdirectory = folder;
        }}
        type="file"
        multiple
        aria-label={folder ? "Data set folder" : "Data set files"}
        hidden
        onChange={({ currentTarget }) => {
          const pick = chosenFiles(currentTarget.files ?? []);
          // Lets the user choose the same files again after a correction.
          currentTarget.value = "";
          onPick(pick);
        }}
      />
    </>
  );
}
