import { type LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactNode, useRef } from "react";
import { formatRoute, type Route } from "../routes/route.ts";

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

interface LinkButtonProps {
  readonly to: Route;
  /** Whether it leads to the main action of its place. */
  readonly primary?: boolean;
  readonly children: ReactNode;
}

/** A link that looks like a button. */
export const LinkButton = ({ to, primary, children }: LinkButtonProps) => (
  <a className={primary ? "button button--primary" : "button"} href={formatRoute(to)}>
    {children}
  </a>
);

interface IconButtonProps extends Omit<ComponentProps<"button">, "children"> {
  /** What it does, for screen readers, and the tooltip unless there is a title. */
  readonly label: string;
  readonly icon: LucideIcon;
}

/** A small button that shows only an icon. */
export const IconButton = ({ label, icon: Icon, ...rest }: IconButtonProps) => (
  <Button quiet small icon aria-label={label} title={label} {...rest}>
    <Icon aria-hidden="true" />
  </Button>
);

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
