interface Props<K extends string> {
  /** Name of the choice, for screen readers. */
  readonly label: string;
  readonly options: Readonly<Record<K, string>>;
  readonly value: K;
  readonly onChange: (value: K) => void;
}

/** A segmented control: one choice among a few visible options. */
export function Segments<K extends string>({ label, options, value, onChange }: Props<K>) {
  // Object.keys loses the type of the keys.
  const keys = Object.keys(options) as K[];
  return (
    <fieldset className="segments" aria-label={label}>
      {keys.map((key) => (
        <button key={key} type="button" aria-pressed={key === value} onClick={() => onChange(key)}>
          {options[key]}
        </button>
      ))}
    </fieldset>
  );
}
