import { type FormEvent, useState } from "react";

interface Props {
  /** Name of the field, for screen readers. */
  readonly label: string;
  readonly placeholder: string;
  readonly maxLength: number;
  /** Label of the button. */
  readonly action: string;
  /** @param name Trimmed and never empty. */
  readonly onName: (name: string) => void;
}

/** A name field with a submit button; cleared after submitting. */
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
