/** A wake-up signal for one waiter. A call to `wake` while nobody waits is kept for the next `wait`. */
export class Wakeup {
  #called = false;
  #waiting: (() => void) | null = null;

  wake(): void {
    this.#called = true;
    this.#waiting?.();
  }

  /** Resolves when {@link wake} is called, or after `milliseconds`. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#called) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
        timer = setTimeout(resolve, milliseconds);
      });
      clearTimeout(timer);
      this.#waiting = null;
    }
    this.#called = false;
  }
}
