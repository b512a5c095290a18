/** Names that packages of particle worlds have before those of the worlds. */
const PACKAGE = /^(?:mpe2|pettingzoo\.mpe)\.(?=simple_)/;

/** The id of an environment that a package's name may precede, as in `mpe2.simple_spread_v3`. */
export const environmentId = (name: string): string => name.replace(PACKAGE, "");
