/**
 * Stands in bundles for browsers where `#node/…` names a module that needs Node (package.json, "imports"): bundlers resolve
 * such names by the condition "node". Only a bundle that was made for browsers and runs in Node loads this module.
 */
throw new Error(
  'this copy of rlkit was bundled for browsers, but runs in Node; bundle it for Node (with the condition "node"), or leave "rlkit" out of the bundle',
);

export {};
