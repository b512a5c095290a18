import { createStore, type StoreApi } from "zustand/vanilla";

/** A message at the edge of the page. */
export interface Toast {
  readonly id: number;
  readonly tone: "error" | "info";
  readonly message: string;
  /** What can be done about it; the toast goes when it is done. */
  readonly action: { readonly label: string; readonly perform: () => void } | null;
  /** What it is about; it goes when that is put right. Null where only the page tells. */
  readonly cause: string | null;
  /** Stays when another page is opened. */
  readonly lasting: boolean;
}

/** Messages shown at once; more push the oldest out. */
const LIMIT = 3;

/** Messages that nobody has dismissed yet. One goes when its cause or its page does. */
export class Toasts {
  readonly state: StoreApi<readonly Toast[]> = createStore(() => []);
  #last = 0;

  /** Shows a message, in place of another that says the same. */
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

  /** What a message was about is put right. */
  resolve(cause: string): void {
    this.#keep((toast) => toast.cause !== cause);
  }

  /** The page that the messages were about is left. */
  leavePage(): void {
    this.#keep(({ lasting }) => lasting);
  }

  #keep(stays: (toast: Toast) => boolean): void {
    const toasts = this.state.getState();
    const kept = toasts.filter(stays);
    if (kept.length < toasts.length) this.state.setState(kept, true);
  }
}
