import { manifestForm } from "../manifestForm.ts";
import { effectlessBelow, type FormView } from "./formView.ts";

/** Whether any field has no effect here, so that the checkbox is useful. */
const hasEffectless = effectlessBelow(manifestForm) > 0;

interface Props {
  readonly view: FormView;
  readonly onChange: (view: FormView) => void;
}

/** A search for fields by name or help text, and a checkbox that shows fields without effect here. */
export function FormSearch({ view, onChange }: Props) {
  return (
    <div className="form-search">
      <input
        type="search"
        className="field"
        aria-label="Find a field"
        placeholder="Find a field"
        value={view.wanted}
        onChange={(event) => onChange({ ...view, wanted: event.currentTarget.value })}
      />
      {hasEffectless && (
        <label>
          <input
            type="checkbox"
            checked={view.effectless}
            onChange={(event) => onChange({ ...view, effectless: event.currentTarget.checked })}
          />
          Show fields that have no effect here
        </label>
      )}
    </div>
  );
}
