/** Names of built-in data, which manifests may give in place of files. */

/** A table of three kinds of flowers by four measures, as `features` and as `targets`. */
export const FLOWERS = "rlkit/flowers";

/** Steps in CartPole by a rule that errs, as `dataset_path`. */
export const CARTPOLE_RULE = "rlkit/cartpole-rule";
