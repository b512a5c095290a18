import { useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { TextField } from "../../../components/controls.tsx";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { LONGEST, type PanelSpec, titleOf } from "./panels.ts";

interface Props {
  readonly panel: PanelSpec;
  readonly onChange: (change: Partial<PanelSpec>) => void;
  readonly onClose: () => void;
}

/** The dialog that names a panel, and writes its text if it is one of text. */
export function EditPanel({ panel, onChange, onClose }: Props) {
  const [name, setName] = useState(panel.name);
  const [text, setText] = useState(panel.text);
  return (
    <FormDialog
      title="Edit this panel"
      actions={
        <Button primary type="submit">
          Apply
        </Button>
      }
      onSubmit={() => {
        onChange({ name: name.trim(), text });
        onClose();
      }}
      onClose={onClose}
    >
      <label className="stack">
        Name
        <TextField
          value={name}
          maxLength={LONGEST.name}
          placeholder={titleOf({ kind: panel.kind, name: "" })}
          onChange={setName}
        />
      </label>
      {panel.kind === "text" && (
        <label className="stack">
          Text
          <textarea
            className="field workspace__field wide"
            value={text}
            maxLength={LONGEST.text}
            rows={8}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </label>
      )}
    </FormDialog>
  );
}
