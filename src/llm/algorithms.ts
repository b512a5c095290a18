/** Door: the algorithms of language models. */
export * from "./algorithms/registry.ts";
