import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import "./components.css";

interface Props {
  /** What the button shows. */
  readonly button: ReactNode;
  /** What the menu does, for screen readers, if the button shows only an icon. */
  readonly label?: string;
  /** The button's tooltip. */
  readonly title?: string;
  /** Where the menu is put. Defaults to the document's body. */
  readonly container?: HTMLElement | null;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A button that opens a menu. It is not modal: the page under the menu can still scroll. */
export const Menu = ({ button, label, title, container, className = "", children }: Props) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger
      className={label === undefined ? "button" : "button button--quiet button--small button--icon"}
      aria-label={label}
      title={title}
    >
      {button}
    </DropdownMenu.Trigger>
    <DropdownMenu.Portal container={container}>
      <DropdownMenu.Content
        className={`floating menu scrolls ${className}`}
        align="end"
        sideOffset={4}
        collisionPadding={8}
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);
