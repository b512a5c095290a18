import { MUTATION_SHAPES, type MutationKind } from "./mutationShapes.ts";
import "./MutationMark.css";

interface Props {
  readonly kind: MutationKind;
  /** Unset where a text beside it says the same. */
  readonly label?: string;
}

/** A mutation's kind as a shape in the text's colour. */
export function MutationMark({ kind, label }: Props) {
  const named =
    label === undefined ? ({ "aria-hidden": true } as const) : { role: "img", "aria-label": label };
  return (
    <svg className="mutation-mark" viewBox="-6 -6 12 12" data-mutation={kind} {...named}>
      <path d={MUTATION_SHAPES[kind].path} />
    </svg>
  );
}
