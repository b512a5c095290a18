/** Members of one device that wait for each other, so that it does the work of all of them together. */

interface Asked<Ask, Answer> {
  readonly ask: Ask;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/** Does the work that all members ask for. @returns an answer for each of them. */
type Meet<Ask, Answer> = (asks: ReadonlyMap<number, Ask>) => Promise<ReadonlyMap<number, Answer>>;

export class Meeting<Ask, Answer> {
  readonly #meet: Meet<Ask, Answer>;
  readonly #going: Set<number>;
  #waiting = new Map<number, Asked<Ask, Answer>>();
  /** Why no more work is done. */
  #end: { readonly reason: unknown } | null = null;

  /** @param slots Slots of the members that take part. */
  constructor(slots: Iterable<number>, meet: Meet<Ask, Answer>) {
    this.#meet = meet;
    this.#going = new Set(slots);
  }

  /** Waits until every member that is still here has asked, and their work is done. */
  ask(slot: number, ask: Ask): Promise<Answer> {
    if (this.#end) return Promise.reject(this.#end.reason);
    return new Promise((resolve, reject) => {
      this.#waiting.set(slot, { ask, resolve, reject });
      this.#begin();
    });
  }

  /** The others no longer wait for this member. */
  leave(slot: number): void {
    if (this.#going.delete(slot)) this.#begin();
  }

  /** Ends all waiting, now and later. */
  fail(reason: unknown): void {
    this.#end ??= { reason };
    for (const { reject } of this.#taken().values()) reject(reason);
  }

  #taken(): ReadonlyMap<number, Asked<Ask, Answer>> {
    const taken = this.#waiting;
    this.#waiting = new Map();
    return taken;
  }

  #begin(): void {
    if (this.#waiting.size === 0 || this.#waiting.size < this.#going.size) return;
    // Slots in order, so that the work does not depend on who asked first.
    const taken = new Map([...this.#taken()].sort(([a], [b]) => a - b));
    const asks = new Map([...taken].map(([slot, { ask }]) => [slot, ask]));
    this.#meet(asks).then(
      (answers) => {
        for (const [slot, { resolve }] of taken) resolve(answers.get(slot) as Answer);
      },
      (reason: unknown) => {
        for (const { reject } of taken.values()) reject(reason);
      },
    );
  }
}
