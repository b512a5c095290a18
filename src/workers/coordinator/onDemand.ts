/** A large object that is created once, when it is first needed. */
interface OnDemand<T> {
  /** Creates the object, unless that has already started. */
  begin(): Promise<T>;
  readonly begun: boolean;
  /** Resolves when the object exists; does not create it. */
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
