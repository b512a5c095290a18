import { useRef } from "react";

interface Props {
  readonly label: string;
  /** Name of the file input, for screen readers. */
  readonly input: string;
  /** Types of files that the dialog offers. Defaults to all. */
  readonly accept?: string;
  /** Whether the dialog chooses a folder. Defaults to false. */
  readonly folder?: boolean;
  readonly multiple?: boolean;
  /** Whether earlier files are being read; the button then does nothing. */
  readonly busy?: boolean;
  readonly small?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}

/** A button that opens the browser's dialog for files or for a folder. */
export function FileButton({ label, input: name, accept, folder, multiple, busy, small, onFiles }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button
        type="button"
        className={small ? "button button--small" : "button"}
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
          if (element !== null) element.webkitdirectory = folder === true;
        }}
        type="file"
        accept={accept}
        multiple={multiple}
        aria-label={name}
        hidden
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])];
          // Lets the user choose the same files again after a correction.
          currentTarget.value = "";
          onFiles(files);
        }}
      />
    </>
  );
}
