import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import "./components.css";

interface Props {
  readonly title: ReactNode;
  /** The fields, and what there is to say about them. */
  readonly children: ReactNode;
  /** The buttons beside Cancel. */
  readonly actions: ReactNode;
  /** Whether the submitted form is being worked on; the dialog then stays open. */
  readonly busy?: boolean;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

/** A dialog with a form. */
export function FormDialog({ title, children, actions, busy = false, onSubmit, onClose }: Props) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="shade" />
        <Dialog.Content className="floating dialog panel__body scrolls" aria-describedby={undefined}>
          <Dialog.Title>{title}</Dialog.Title>
          <form
            className="dialog__form grid gap-3"
            onSubmit={(event) => {
              event.preventDefault();
              onSubmit();
            }}
          >
            {children}
            <div className="dialog__actions">
              <Dialog.Close className="button" disabled={busy}>
                Cancel
              </Dialog.Close>
              {actions}
            </div>
          </form>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
