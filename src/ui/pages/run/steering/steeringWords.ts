import type { SteeringAction } from "../../../../workers/protocol.ts";

/** A text description of a steering action. */
export function steeringWords(action: SteeringAction): string {
  switch (action.kind) {
    case "set": {
      const whose = action.index === null ? "all members" : `#${action.index}`;
      return `${action.hyperparameter} of ${whose} set to ${action.value}`;
    }
    case "clone":
      return `a copy of #${action.index} took the place of #${action.over}`;
    case "replace":
      return `a copy of the elite took the place of #${action.index}`;
    case "protect":
      return `#${action.index} ${action.on ? "protected" : "protected no longer"}`;
    case "mutate":
      return `#${action.index} made to mutate: ${action.what}`;
  }
}
