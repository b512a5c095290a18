/** Requirements, other than its widths, on a module that replaces a network from a specification. */

import {
  ACTOR_OUTPUTS,
  definitionOf,
  type ModuleData,
  type ObservationPart,
  observationParts,
} from "../../rl/networks.ts";
import { describeSpace, imageLayout, isImage, type Space } from "../../rl/spaces.ts";
import { show } from "../../specs/messages.ts";
import type { MultiInputData } from "../../specs/networks.ts";

/** @throws RangeError for a module with unbounded outputs, which cannot be scaled to actions. */
export function requireBounds(data: ModuleData): void {
  const found = "output_activation" in data ? data.output_activation : null;
  if (found !== null && ACTOR_OUTPUTS.includes(found)) return;
  throw new RangeError(
    `output_activation: found ${found === null ? "none" : show(found)}; the actions of a deterministic actor have bounds, allowed: ${ACTOR_OUTPUTS.join(", ")}`,
  );
}

/** @throws RangeError for a module that reads images of another shape than the observation. */
export function requireImage(data: ModuleData, observed: Space): void {
  if (!("input_shape" in data)) return;
  const found = data.input_shape.join(" x ");
  if (observed.kind !== "Box" || !isImage(observed)) {
    throw new RangeError(`found a module that reads images of ${found}, allowed one that reads vectors`);
  }
  const allowed = imageLayout(observed).shape.join(" x ");
  if (found !== allowed)
    throw new RangeError(
      `input_shape: found ${found}, allowed ${allowed} (channels x height x width of the observation)`,
    );
}

/** @throws RangeError for a recurrent module: only a recurrent policy carries its state from step to step. */
export function requireNoMemory(data: ModuleData): void {
  if (!definitionOf(data).recurrent) return;
  throw new RangeError(
    "found a recurrent module, allowed one without recurrent state: the state would be reset at every step; for a recurrent policy set recurrent: true (PPO) and describe its encoder in network",
  );
}

/** Parts of an observation as text: "view: image 3 x 8 x 8, speed: 7". */
const describeParts = (parts: readonly ObservationPart[]): string =>
  parts
    .map((part) => `${part.key}: ${"image" in part ? `image ${part.image.join(" x ")}` : part.size}`)
    .join(", ");

/**
 * @throws RangeError for a module whose input parts differ from those of the observation. A critic of
 *   continuous actions may read the action as one more part.
 */
export function requireParts(data: ModuleData, observed: Space, actions: number): void {
  if (data.kind !== "multiinput") return;
  const found = describeParts(
    data.parts.map(({ key, size, cnn }) => (cnn ? { key, image: cnn.input_shape } : { key, size })),
  );
  if (observed.kind !== "Dict" && observed.kind !== "Tuple") {
    throw new RangeError(
      `found a module that reads parts (${found}), allowed one for ${describeSpace(observed)}`,
    );
  }
  const parts = describeParts(observationParts(observed));
  const fits = actions === 0 ? found === parts : found.startsWith(`${parts}, `) && actionIsVector(data.parts);
  if (fits) return;
  const action = actions === 0 ? "" : `, followed by the action's ${actions} numbers`;
  throw new RangeError(`observation_space: found parts ${found}; allowed ${parts}${action}`);
}

const actionIsVector = (parts: MultiInputData["parts"]): boolean => parts.at(-1)?.cnn === null;
