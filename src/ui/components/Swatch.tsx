import { slotColour, slotDash } from "./slotStyle.ts";
import "./Swatch.css";

/** A short sample of a slot's line style. */
export function Swatch({ slot }: { readonly slot: number }) {
  return (
    <svg className="swatch" viewBox="0 0 18 8" aria-hidden="true">
      <path d="M1 4h16" stroke={slotColour(slot)} strokeDasharray={slotDash(slot)} />
    </svg>
  );
}
