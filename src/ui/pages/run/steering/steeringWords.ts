import type { SteeringAction } from "../../../../workers/protocol.ts";

/** A text description of a steering action. */
export function steeringWords(action: SteeringAction): string {
  switch (action.kind) {
    case "set": {
      const whose = action.index === null ? "all members" : `#${action.index}`;
      return `${action.hyperparameter} of ${whose} set to ${action.value}`;
    }
    case "clone":
      return `#${action.over} replaced by a copy of #${action.index}`;
    case "replace":
      return `#${action.index} replaced by a copy of the elite`;
    case "protect":
      return `#${action.index} ${action.on ? "protected" : "no longer protected"}`;
    case "mutate":
      return `#${action.index} mutated: ${action.what}`;
  }
}
