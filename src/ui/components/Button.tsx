import { type ComponentProps, useRef } from "react";

interface ButtonProps extends ComponentProps<"button"> {
  /** Whether it is the main action of its place. */
  readonly primary?: boolean | undefined;
  /** Whether it has no border. */
  readonly quiet?: boolean;
  readonly small?: boolean | undefined;
  /** Whether it shows only an icon. */
  readonly icon?: boolean;
}

/** A button of the workbench. */
export function Button({ primary, quiet, small, icon, className, type = "button", ...rest }: ButtonProps) {
  const looks = { primary, quiet, small, icon };
  const classes = Object.entries(looks).flatMap(([look, on]) => (on ? [`button--${look}`] : []));
  return (
    <button type={type} className={["button", ...classes, className].filter(Boolean).join(" ")} {...rest} />
  );
}

interface FileButtonProps {
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
export function FileButton({
  label,
  input: name,
  accept,
  folder,
  multiple,
  busy,
  small,
  onFiles,
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        small={small}
        aria-disabled={busy}
        aria-busy={busy}
        onClick={() => {
          if (!busy) input.current?.click();
        }}
      >
        {label}
      </Button>
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
