const PLAIN: Readonly<Record<string, string>> = {
  None: "none",
  param: "weights",
  act: "activation",
};

/** A mutation in words: a hyperparameter or method keeps its own name. */
export const mutationName = (mutation: string): string => PLAIN[mutation] ?? mutation;
