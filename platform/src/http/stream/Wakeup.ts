/** Lets one wait until it is woken. A call that comes while nobody waits is kept for the next who does. */
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
