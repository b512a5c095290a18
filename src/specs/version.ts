/**
 * Version of this package, as in package.json (the test of `rlkit --version` compares them). A constant,
 * because browsers have no package.json.
 */
export const VERSION = "0.1.0";
