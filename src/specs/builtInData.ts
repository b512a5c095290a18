/** Names of built-in data, which manifests may give in place of files. */

/** A table of three kinds of flowers with four measurements, for `features` and `targets`. */
export const FLOWERS = "rlkit/flowers";

/** CartPole steps of a rule that makes mistakes, for `dataset_path`. */
export const CARTPOLE_RULE = "rlkit/cartpole-rule";
