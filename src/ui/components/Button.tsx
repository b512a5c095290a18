import type { ComponentProps } from "react";

interface Props extends ComponentProps<"button"> {
  /** Whether it is the main action of its place. */
  readonly primary?: boolean | undefined;
  /** Whether it has no border. */
  readonly quiet?: boolean;
  readonly small?: boolean | undefined;
  /** Whether it shows only an icon. */
  readonly icon?: boolean;
}

/** A button of the workbench. */
export function Button({ primary, quiet, small, icon, className, type = "button", ...rest }: Props) {
  const looks = { primary, quiet, small, icon };
  const classes = Object.entries(looks).flatMap(([look, on]) => (on ? [`button--${look}`] : []));
  return (
    <button type={type} className={["button", ...classes, className].filter(Boolean).join(" ")} {...rest} />
  );
}
