/** Something large that is made once, when it is needed first. */
export interface OnDemand<T> {
  /** Makes it unless that has begun. */
  begin(): Promise<T>;
  readonly begun: boolean;
  /** Waits for it without beginning it. */
  readonly loaded: Promise<T>;
}

export function onDemand<T>(make: () => Promise<T>): OnDemand<T> {
  let begun = false;
  let begin: () => void = () => undefined;
  const promise = new Promise<T>((resolve) => {
    begin = () => resolve(make());
  });
  return {
    begin: () => {
      if (!begun) begin();
      begun = true;
      return promise;
    },
    get begun() {
      return begun;
    },
    loaded: promise,
  };
}
