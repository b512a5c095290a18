import { type ReactNode, useCallback, useRef, useState } from "react";
import type { PickedFile } from "../../../workers/protocol.ts";
import { FileButton } from "../../components/Button.tsx";
import { chosenFiles, droppedFiles, useFolderDrop } from "../../lib/files.ts";
import { useWorkbench } from "../../state/Workbench.ts";
import { keepEnvironment } from "./keepEnvironment.ts";

/** A place on which the files of a robot are dropped; a button opens them from a dialog. They are saved as a new environment. */
export function RobotDrop({ children }: { readonly children: ReactNode }) {
  const workbench = useWorkbench();
  const area = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  const open = useCallback(
    async (picking: Promise<{ readonly files: readonly PickedFile[] } | null>) => {
      setBusy(true);
      await workbench.attempt(async () => {
        const picked = await picking;
        if (picked === null) return;
        // Loads the code that reads robots only when there is one.
        const { droppedRobot } = await import("../../ownEnvironment/robotFiles.ts");
        await keepEnvironment(workbench.coordinator, await droppedRobot(picked.files));
      }, "robot");
      setBusy(false);
    },
    [workbench],
  );
  const drop = useCallback((items: DataTransferItemList) => void open(droppedFiles(items)), [open]);
  const isOver = useFolderDrop(area, drop);
  return (
    <div
      ref={area}
      className={isOver ? "environments__drop environments__drop--over stack" : "environments__drop stack"}
    >
      <div className="row">
        <FileButton
          label="Open robot…"
          input="Files of a robot"
          accept=".xml,.yaml,.yml,.json,.stl,.obj,.msh,.png"
          multiple
          small
          busy={busy}
          onFiles={(files) => void open(Promise.resolve(chosenFiles(files)))}
        />
        <p className="soft">Or drop a MuJoCo model (MJCF) here, with its meshes and its task.</p>
      </div>
      {children}
    </div>
  );
}
