import { type ReactNode, useId, useState, useSyncExternalStore } from "react";
import { Segments } from "../../components/controls.tsx";
import { PageHeading } from "../../components/PageHeading.tsx";
import { setShortcutsOn, shortcutsOn } from "../../lib/shortcuts.ts";
import { writeStored } from "../../lib/stored.ts";
import { canNotify, notifies, setNotifies } from "../../state/systemNotices.ts";
import { currentTheme, onTheme, setTheme, type Theme } from "../../state/theme.ts";
import "./SettingsPage.css";

/** The user's motion setting; "system" follows the operating system and is not stored. */
type Motion = "system" | "none";

// Also read by public/theme.js, before this module loads.
const KEY = "rlkit.motion";

const currentMotion = (): Motion => (document.documentElement.dataset.motion === "none" ? "none" : "system");

/** Sets whether animations follow the system setting or are off, and stores the choice if the browser allows it. */
function setMotion(motion: Motion): void {
  if (motion === "none") document.documentElement.dataset.motion = motion;
  else delete document.documentElement.dataset.motion;
  writeStored(KEY, motion === "none" ? motion : null);
}

const CHOICES: Readonly<Record<Motion, string>> = { system: "Auto", none: "None" };

/** Chooses whether animations run. */
function MotionToggle() {
  const [motion, choose] = useState(currentMotion);
  return (
    <Segments
      label="Motion"
      options={CHOICES}
      value={motion}
      onChange={(next) => {
        setMotion(next);
        choose(next);
      }}
    />
  );
}

const THEMES: Readonly<Record<Theme, string>> = { system: "Auto", light: "Light", dark: "Dark" };

/** Chooses between the system's theme, light and dark. */
function ThemeToggle() {
  const theme = useSyncExternalStore(onTheme, currentTheme);
  return <Segments label="Theme" options={THEMES} value={theme} onChange={setTheme} />;
}

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
        {canNotify() && (
          <Setting
            label={<label htmlFor={`${id}-notify`}>Notifications</label>}
            help="When a run ends, fails or has a problem while this page is in the background."
          >
            <NotificationToggle id={`${id}-notify`} />
          </Setting>
        )}
      </div>
    </div>
  );
}

/** Turns notifications on or off. Where the browser does not allow them, they stay off, and the page says so. */
function NotificationToggle({ id }: { readonly id: string }) {
  const [on, setOn] = useState(notifies);
  const [refused, setRefused] = useState(false);
  const choose = async (wanted: boolean): Promise<void> => {
    const allowed = await setNotifies(wanted);
    setOn(allowed);
    setRefused(wanted && !allowed);
  };
  return (
    <>
      <input
        id={id}
        type="checkbox"
        checked={on}
        onChange={(event) => void choose(event.currentTarget.checked)}
      />
      {refused && (
        <p className="bad" role="alert">
          This browser does not allow notifications of this site. Allow them in its settings for the site.
        </p>
      )}
    </>
  );
}

interface SettingProps {
  readonly label: ReactNode;
  readonly help: string;
  readonly children: ReactNode;
}

function Setting({ label, help, children }: SettingProps) {
  return (
    <div className="setting rule-below">
      <div>
        <div className="medium">{label}</div>
        <p className="quiet">{help}</p>
      </div>
      {children}
    </div>
  );
}
