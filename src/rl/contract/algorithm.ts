/** An algorithm: its networks, how it acts, and how it learns. Each algorithm has its own file. */
import type { OffPolicyAlgorithm } from "./offPolicy.ts";
import type { OnPolicyAlgorithm } from "./onPolicy.ts";

export type Algorithm = OffPolicyAlgorithm | OnPolicyAlgorithm;
