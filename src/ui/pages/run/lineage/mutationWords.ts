import type { MutationDetail } from "../../../../tracking/observer.ts";
import { formatHyperparameter } from "../../../lib/format.ts";
import type { AgentFacts } from "./agentFacts.ts";

const plain = (value: number | string | undefined): string =>
  typeof value === "number" ? formatHyperparameter(value) : (value ?? "?");

const change = (from: MutationDetail["from"], to: MutationDetail["to"]): string =>
  from === undefined && to === undefined ? "" : ` ${plain(from)} → ${plain(to)}`;

/**
 * A short description of a clone's mutation, such as "lr 0.0018 → 0.0027".
 * @param detail from the report of its first generation; null for older logs
 */
export function mutationWords(
  { kind, mutation, differences }: Pick<AgentFacts, "kind" | "mutation" | "differences">,
  detail: MutationDetail | null,
): string {
  const network = detail?.network === undefined ? "" : `${detail.network}: `;
  switch (kind) {
    case "none":
      return "unchanged copy";
    case "parameters":
      return `${network}weight noise`;
    case "activation":
      return `${network}activation${change(detail?.from, detail?.to)}`;
    case "architecture": {
      const layer = detail?.layer === undefined ? "" : `, layer ${detail.layer + 1}`;
      return `${network}${detail?.method ?? mutation}${layer}${change(detail?.from, detail?.to)}`;
    }
    case "hyperparameter": {
      const own = differences.find(({ name }) => name === mutation);
      return `${mutation}${change(detail?.from ?? own?.from, detail?.to ?? own?.to)}`;
    }
  }
}
