import { MUTATION_KINDS } from "../../../../workers/protocol.ts";
import { MutationMark } from "../../../components/marks.tsx";
import { MUTATION_SHAPES } from "../../../components/mutations.ts";
import { formatScore } from "../../../lib/format.ts";
import { FITNESS_STEPS, type FitnessScale } from "../../../series/scales.ts";
import "../charts/legend.css";

const STEPS = Array.from({ length: FITNESS_STEPS }, (_, step) => step + 1);

/** The legend of the lineage: its marks and colours. */
export function LineageLegend({ scale }: { readonly scale: FitnessScale }) {
  return (
    <ul className="legend" aria-label="Legend">
      <li>
        {formatScore(scale.low)}
        <span className="lineage__steps">
          {STEPS.map((step) => (
            <i key={step} style={{ background: `var(--fitness-${step})` }} />
          ))}
        </span>
        {formatScore(scale.high)} fitness
      </li>
      {MUTATION_KINDS.map((kind) => (
        <li key={kind}>
          <MutationMark kind={kind} /> {MUTATION_SHAPES[kind].label}
        </li>
      ))}
      <li>
        <i className="lineage__elite-line" /> elite and its ancestors
      </li>
      <li>
        <i className="lineage__ended" /> ended lineages
      </li>
    </ul>
  );
}
