import { Select } from "../components/controls.tsx";

/** Searches of the opponent, with their labels. */
const CHOICES: readonly (readonly [simulations: number, label: string])[] = [
  [0, "Policy alone"],
  [16, "Looks at 16 positions"],
  [32, "Looks at 32 positions"],
  [64, "Looks at 64 positions"],
];

interface Props {
  /** Of the opponent's search; 0 for none. */
  readonly simulations: number;
  readonly onChange: (simulations: number) => void;
}

export const Strength = ({ simulations, onChange }: Props) => (
  <label className="beside">
    Strength
    <Select value={`${simulations}`} onChange={(wanted) => onChange(Number(wanted))}>
      {CHOICES.map(([key, label]) => (
        <option key={key} value={key}>
          {label}
        </option>
      ))}
    </Select>
  </label>
);
