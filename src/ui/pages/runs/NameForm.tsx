import { type FormEvent, useState } from "react";

interface Props {
  /** What is named, for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** The button's word. */
  readonly action: string;
  /** @param name Without spaces around it; never empty. */
  readonly onName: (name: string) => void;
}

/** A field for a name with its button; empty again once it is given. */
export function NameForm({ label, placeholder, maxLength, action, onName }: Props) {
  const [name, setName] = useState("");
  const given = name.trim();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setName("");
    if (given !== "") onName(given);
  };
  return (
    <form onSubmit={submit}>
      <input
        className="field"
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" className="button" disabled={given === ""}>
        {action}
      </button>
    </form>
  );
}
