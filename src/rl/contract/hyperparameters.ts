/** An agent's hyperparameters, by name, while its programs are traced. */
export type Hyperparameters = Readonly<Record<string, number | boolean | string | null>>;

/** Whether a boolean hyperparameter is true. */
export const flag = (hyperparameters: Hyperparameters, name: string): boolean =>
  hyperparameters[name] === true;
