/** The engine's own functions in f64: the oracle of the reference evaluator, used nowhere else. */
export const { exp, log, sin, cos, tanh } = Math;
