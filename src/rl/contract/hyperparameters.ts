/** An agent's settings inside programs that are traced. */
export type Hyperparameters = Readonly<Record<string, number | boolean | string | null>>;

/** A hyperparameter that must be true or false. */
export const flag = (hyperparameters: Hyperparameters, name: string): boolean =>
  hyperparameters[name] === true;
