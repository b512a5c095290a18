import { type ReactNode, useId, useState } from "react";
import { PageHeading } from "../../components/PageHeading.tsx";
import { setShortcutsOn, shortcutsOn } from "../../lib/shortcuts.ts";
import { MotionToggle } from "./MotionToggle.tsx";
import { ThemeToggle } from "./ThemeToggle.tsx";
import "./SettingsPage.css";

/** Settings for theme, motion and shortcuts in this browser. */
export function SettingsPage() {
  const [shortcuts, setShortcuts] = useState(shortcutsOn);
  const id = useId();
  return (
    <div className="page">
      <PageHeading title="Settings" />
      <div className="settings">
        <Setting label={<span>Theme</span>} help="Auto follows the system.">
          <ThemeToggle />
        </Setting>
        <Setting label={<span>Motion</span>} help="Auto follows the system.">
          <MotionToggle />
        </Setting>
        <Setting
          label={<label htmlFor={id}>Shortcuts</label>}
          help="Single-key shortcuts, listed under Help. Ctrl+K always works."
        >
          <input
            id={id}
            type="checkbox"
            checked={shortcuts}
            onChange={(event) => {
              setShortcutsOn(event.currentTarget.checked);
              setShortcuts(event.currentTarget.checked);
            }}
          />
        </Setting>
      </div>
    </div>
  );
}

interface SettingProps {
  readonly label: ReactNode;
  readonly help: string;
  readonly children: ReactNode;
}

function Setting({ label, help, children }: SettingProps) {
  return (
    <div className="setting">
      <div>
        <div className="setting__label">{label}</div>
        <p>{help}</p>
      </div>
      {children}
    </div>
  );
}
