import { MUTATION_SHAPES, type MutationKind } from "./mutationShapes.ts";
import "./MutationMark.css";

interface Props {
  readonly kind: MutationKind;
  /** Accessible name. Leave it out if adjacent text says the same. */
  readonly label?: string;
}

/** A mutation kind as a shape in the text colour. */
export function MutationMark({ kind, label }: Props) {
  const named =
    label === undefined ? ({ "aria-hidden": true } as const) : { role: "img", "aria-label": label };
  return (
    <svg className="mutation-mark" viewBox="-6 -6 12 12" data-mutation={kind} {...named}>
      <path d={MUTATION_SHAPES[kind].path} />
    </svg>
  );
}
