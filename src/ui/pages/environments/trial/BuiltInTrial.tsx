import { useRef, useState } from "react";
import { Select } from "../../../components/controls.tsx";
import { environmentGlyphs } from "../../../components/environmentGlyphs.ts";
import { stageTheme } from "../../../stage/stageSettings.ts";
import { TrialPanel } from "./TrialPanel.tsx";

/** Plays one of rlkit's own environments, by hand or at random. */
export function BuiltInTrial() {
  const [id, setId] = useState("");
  const place = useRef<HTMLElement>(null);
  return (
    <section ref={place} className="grid gap-4" aria-label="Built-in environments">
      <Select
        aria-label="Built-in environment"
        value={id}
        options={[["", "Play a built-in environment…"], ...Object.keys(environmentGlyphs)]}
        onChange={setId}
      />
      {id !== "" && (
        <TrialPanel
          key={id}
          title={id}
          about="Opens the environment and plays episode after episode."
          source={async () => {
            // Loads environments only when one is played.
            const { openBuiltIn } = await import("./openBuiltIn.ts");
            return openBuiltIn(id, stageTheme(place.current ?? document.body));
          }}
        />
      )}
    </section>
  );
}
