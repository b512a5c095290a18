interface Props {
  /** What is searched, also the placeholder. */
  readonly label: string;
  readonly placeholder?: string;
  /** CSS width. Defaults to that of a field. */
  readonly width?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for search words. */
export function SearchField({ label, placeholder = label, width, value, onChange }: Props) {
  return (
    <input
      type="search"
      className="field"
      style={{ width }}
      aria-label={label}
      placeholder={placeholder}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
