import { type CompositeSpace, flatSize, imageLayout, isImage } from "../spaces/index.ts";
import type { ObservationPart } from "./moduleDefinition.ts";

/** The parts of an observation for a multi-input module, in the order of the network's input. */
export const observationParts = (space: CompositeSpace): ObservationPart[] =>
  space.parts.map(
    ({ key, space: part }): ObservationPart =>
      part.kind === "Box" && isImage(part)
        ? { key, image: imageLayout(part).shape }
        : { key, size: flatSize(part) },
  );
