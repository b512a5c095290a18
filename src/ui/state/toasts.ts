import { createStore, type StoreApi } from "zustand/vanilla";

/** A toast message. */
export interface Toast {
  readonly id: number;
  readonly tone: "error" | "info";
  readonly message: string;
  /** An action on the toast, which closes the toast. */
  readonly action: { readonly label: string; readonly perform: () => void } | null;
  /** Key of its cause; the toast closes when the cause is resolved. Null if there is no such key. */
  readonly cause: string | null;
  /** Whether it stays when another page is opened. */
  readonly lasting: boolean;
}

/** Maximum number of messages shown at once; more remove the oldest. */
const LIMIT = 3;

/**
 * Messages that have not been dismissed. A message is removed when its cause is resolved or its page is left.
 */
export class Toasts {
  readonly state: StoreApi<readonly Toast[]> = createStore(() => []);
  #last = 0;

  /** Shows a message, replacing one with the same text. @returns its id */
  show(toast: Pick<Toast, "tone" | "message"> & Partial<Toast>): number {
    this.#last += 1;
    const added = { action: null, cause: null, lasting: false, ...toast, id: this.#last };
    const others = this.state.getState().filter(({ message }) => message !== added.message);
    this.state.setState([...others, added].slice(-LIMIT), true);
    return added.id;
  }

  dismiss(id: number): void {
    this.#keep((toast) => toast.id !== id);
  }

  /** Removes messages whose cause is resolved. */
  resolve(cause: string): void {
    this.#keep((toast) => toast.cause !== cause);
  }

  /** Removes messages that do not outlast a change of page. */
  leavePage(): void {
    this.#keep(({ lasting }) => lasting);
  }

  #keep(stays: (toast: Toast) => boolean): void {
    const toasts = this.state.getState();
    const kept = toasts.filter(stays);
    if (kept.length < toasts.length) this.state.setState(kept, true);
  }
}
