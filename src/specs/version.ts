/** Version of this package, as package.json has it (the test of `rlkit --version` compares them). A constant, because browsers have no package.json. */
export const VERSION = "0.1.0";
