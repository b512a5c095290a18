import { Command } from "cmdk";
import { useMemo } from "react";
import { navigate } from "../../routes/navigation.ts";
import { useWorkbench, useWorkbenchState } from "../../state/Workbench.ts";
import { commandsOf, rankCommand } from "./commands.ts";
import "./CommandPalette.css";

/** Finds a page, a run, a template or an action by part of its name. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const workbench = useWorkbench();
  const list = useWorkbenchState((state) => state.list);
  const leaving = useWorkbenchState((state) => state.leaving);
  const groups = useMemo(
    () => commandsOf({ list, leaving, workbench, navigate }),
    [list, leaving, workbench],
  );
  return (
    <Command.Dialog
      open
      loop
      label="Commands"
      className="palette"
      filter={(_, typed, [label = "", heading = ""] = []) => rankCommand(label, heading, typed)}
      overlayClassName="shade"
      contentClassName="floating palette__dialog cropped"
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Command.Input placeholder="Search pages, runs and commands…" />
      <Command.List label="Commands">
        <Command.Empty>No results.</Command.Empty>
        {groups.map(({ heading, commands }) => (
          <Command.Group key={heading} heading={heading}>
            {commands.map(({ id, label, hint, perform }) => (
              <Command.Item
                key={id}
                value={id}
                keywords={[label, heading]}
                onSelect={() => {
                  onClose();
                  perform();
                }}
              >
                <span className="clip grow">{label}</span>
                {hint !== undefined && <kbd>{hint}</kbd>}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command.Dialog>
  );
}
