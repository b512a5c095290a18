import { Segments } from "../components/controls.tsx";

const WHO = { you: "You", opponent: "Opponent" } as const;

interface Props {
  /** The user's player: 0 moves first. */
  readonly seat: number;
  readonly onChange: (seat: number) => void;
}

/** Chooses who moves first. */
export function FirstMove({ seat, onChange }: Props) {
  return (
    <div className="row">
      <span aria-hidden="true">First move</span>
      <Segments
        label="First move"
        options={WHO}
        value={seat === 0 ? "you" : "opponent"}
        onChange={(who) => onChange(who === "you" ? 0 : 1)}
      />
    </div>
  );
}
