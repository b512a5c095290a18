import "../../../components/Swatch.css";

/** A short sample of a line of descent. @param colour index of the lineage's colour, 0 to 7 */
export function LineageSwatch({ colour }: { readonly colour: number }) {
  return (
    <svg className="swatch" viewBox="0 0 18 8" aria-hidden="true">
      <path d="M1 4h16" stroke={`var(--slot-${colour})`} />
    </svg>
  );
}
