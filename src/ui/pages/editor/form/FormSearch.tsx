import { manifestForm } from "../manifestForm.ts";
import { effectlessBelow, type FormView } from "./formView.ts";

/** Whether there is anything that the switch would show. */
const hasEffectless = effectlessBelow(manifestForm) > 0;

interface Props {
  readonly view: FormView;
  readonly onChange: (view: FormView) => void;
}

/** Finds fields by a part of their name or help, and shows those that have no effect here. */
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
          Fields without effect here
        </label>
      )}
    </div>
  );
}
