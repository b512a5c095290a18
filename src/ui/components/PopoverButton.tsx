import type { LucideIcon } from "lucide-react";
import { Popover } from "radix-ui";
import type { ReactNode } from "react";
import "./PopoverButton.css";

interface Props {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** A button that opens a small panel below it. Escape or a press outside closes the panel. */
export function PopoverButton({ icon: Icon, label, onOpen, children }: Props) {
  return (
    <Popover.Root onOpenChange={(open) => open && onOpen?.()}>
      <Popover.Trigger className="button">
        <Icon aria-hidden="true" />
        {label}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="popover"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
