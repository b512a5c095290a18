/** What an algorithm is: its networks, how it acts, what it learns from. One file per algorithm. */
import type { OffPolicyAlgorithm } from "./offPolicy.ts";
import type { OnPolicyAlgorithm } from "./onPolicy.ts";

export type Algorithm = OffPolicyAlgorithm | OnPolicyAlgorithm;
