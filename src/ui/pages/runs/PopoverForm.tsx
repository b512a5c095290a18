import type { LucideIcon } from "lucide-react";
import { Popover } from "radix-ui";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "../../components/Button.tsx";
import { TextField } from "../../components/controls.tsx";
import "../../components/components.css";

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
          className="floating popover small"
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

interface NameFormProps {
  /** Name of the field, for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** Label of the button. */
  readonly action: string;
  /** @param name Trimmed and never empty. */
  readonly onName: (name: string) => void;
}

/** A name field with a submit button; cleared after submitting. */
export function NameForm({ label, placeholder, maxLength, action, onName }: NameFormProps) {
  const [name, setName] = useState("");
  const given = name.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setName("");
    if (given !== "") onName(given);
  };
  return (
    <form onSubmit={submit}>
      <TextField
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        value={name}
        onChange={setName}
      />
      <Button type="submit" disabled={given === ""}>
        {action}
      </Button>
    </form>
  );
}
