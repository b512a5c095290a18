/** Package names that may precede the names of particle environments. */
const PACKAGE = /^(?:mpe2|pettingzoo\.mpe)\.(?=simple_)/;

/** The id of an environment, without a preceding package name as in `mpe2.simple_spread_v3`. */
export const environmentId = (name: string): string => name.replace(PACKAGE, "");
