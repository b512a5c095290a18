/** What users' modules get for algorithms, environments and kinds of networks. */
export { environment, network } from "../../rl/extending/index.ts";
export * as algorithm from "./algorithm.ts";
