import { useState } from "react";
import { isRobot } from "../../sandbox/environments.ts";
import { Segments } from "../components/controls.tsx";
import { LazyCodeEditor } from "../components/LazyCodeEditor.tsx";
import { formatBytes } from "../lib/format.ts";
import { robotPages } from "./robotFiles.ts";

interface Props {
  readonly label: string;
  readonly source: string;
  /** Called with the source after each edit. Read-only if left out. */
  readonly onChange?: (source: string) => void;
}

/** An editor of an environment's source: the code of a module, or the task and the models of a robot. */
export function SourceEditor({ label, source, onChange }: Props) {
  if (isRobot(source)) return <RobotEditor label={label} source={source} onChange={onChange} />;
  return <LazyCodeEditor label={label} text={source} onChange={onChange} />;
}

function RobotEditor({ label, source, onChange }: Props) {
  const { pages, others } = robotPages(source);
  const [shown, setShown] = useState("");
  const page = pages.find(({ name }) => name === shown) ?? pages[0];
  if (page === undefined) return null;
  return (
    <>
      <div className="row panel__text">
        <Segments
          label="File"
          options={Object.fromEntries(pages.map(({ name }) => [name, name]))}
          value={page.name}
          onChange={setShown}
        />
        {others.map(({ name, bytes }) => (
          <span key={name} className="faint">
            {name}, {formatBytes(bytes)}
          </span>
        ))}
      </div>
      <LazyCodeEditor
        key={page.name}
        label={label}
        text={page.text}
        onChange={onChange && ((text) => onChange(page.withText(text)))}
      />
    </>
  );
}
