import { type ComponentProps, type ReactNode, useState } from "react";
import { Button } from "./Button.tsx";

interface SegmentsProps<K extends string> {
  /** Name of the choice, for screen readers. */
  readonly label: string;
  readonly options: Readonly<Record<K, string>>;
  readonly value: K;
  readonly onChange: (value: K) => void;
}

/** A segmented control: one choice among a few visible options. */
export function Segments<K extends string>({ label, options, value, onChange }: SegmentsProps<K>) {
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

interface DeleteButtonProps {
  /** Id of the element that names the item, for screen readers. */
  readonly describedBy?: string;
  /** Names what else the deletion affects; shown while the button asks for confirmation. */
  readonly warning?: ReactNode;
  readonly onDelete: () => void;
}

/** A delete button that asks for confirmation in place. */
export function DeleteButton({ describedBy, warning, onDelete }: DeleteButtonProps) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      {asking && warning}
      {/* The first press only asks; a second press in the same place cancels. */}
      <Button quiet small aria-describedby={describedBy} onClick={() => setAsking(!asking)}>
        {asking ? "Cancel" : "Delete"}
      </Button>
      {asking && (
        <Button small className="button--danger" aria-describedby={describedBy} onClick={onDelete}>
          Delete permanently
        </Button>
      )}
    </>
  );
}

const fieldClass = (more: string | undefined): string => (more === undefined ? "field" : `field ${more}`);

interface TextFieldProps extends Omit<ComponentProps<"input">, "onChange"> {
  readonly onChange: (text: string) => void;
}

/** A field for one line of text. */
export function TextField({ className, onChange, ...rest }: TextFieldProps) {
  return (
    <input
      className={fieldClass(className)}
      {...rest}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

interface SearchProps {
  /** What is searched, also the placeholder. */
  readonly label: string;
  readonly placeholder?: string;
  /** CSS width. Defaults to that of a field. */
  readonly width?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for search words. */
export const SearchField = ({ label, placeholder = label, width, ...rest }: SearchProps) => (
  <TextField type="search" style={{ width }} aria-label={label} placeholder={placeholder} {...rest} />
);

interface SelectProps extends Omit<ComponentProps<"select">, "onChange"> {
  /** The values in order, each with its text unless that is the value itself. */
  readonly options?: readonly (string | readonly [value: string | number, text: string])[];
  readonly onChange: (value: string) => void;
}

/** A choice among options in a list that opens. Groups of options are its children. */
export function Select({ options = [], className, children, onChange, ...rest }: SelectProps) {
  return (
    <select
      className={fieldClass(className)}
      {...rest}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {options.map((option) => {
        const [value, text] = typeof option === "string" ? [option, option] : option;
        return (
          <option key={value} value={value}>
            {text}
          </option>
        );
      })}
      {children}
    </select>
  );
}
