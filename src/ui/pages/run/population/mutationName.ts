const PLAIN: Readonly<Record<string, string>> = {
  None: "none",
  param: "weights",
  act: "activation",
};

/** The displayed name of a mutation; names of hyperparameters and methods stay as they are. */
export const mutationName = (mutation: string): string => PLAIN[mutation] ?? mutation;
