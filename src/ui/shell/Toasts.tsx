import { X } from "lucide-react";
import { useStore } from "zustand";
import { Button } from "../components/Button.tsx";
import type { Toast } from "../state/toasts.ts";
import { useWorkbench } from "../state/Workbench.ts";

/**
 * Toast messages at the bottom right, each shown until it is dismissed, its cause is resolved or the page
 * changes.
 */
export function Toasts() {
  const { toasts } = useWorkbench();
  const shown = useStore(toasts.state);
  const errors = shown.filter(({ tone }) => tone === "error");
  const others = shown.filter(({ tone }) => tone === "info");
  const row = (toast: Toast) => (
    <ToastRow key={toast.id} toast={toast} onClose={() => toasts.dismiss(toast.id)} />
  );
  return (
    <div className="toasts">
      <div aria-live="polite">{others.map(row)}</div>
      {errors.length > 0 && <div role="alert">{errors.map(row)}</div>}
    </div>
  );
}

function ToastRow({ toast, onClose }: { readonly toast: Toast; readonly onClose: () => void }) {
  const { message, action, tone } = toast;
  return (
    <div className={`toast toast--${tone}`}>
      <p>{message}</p>
      {action !== null && (
        <Button
          small
          onClick={() => {
            action.perform();
            onClose();
          }}
        >
          {action.label}
        </Button>
      )}
      <Button quiet small icon aria-label="Dismiss" title="Dismiss" onClick={onClose}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}
