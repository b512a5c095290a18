import { useState } from "react";
import { Segments } from "../../components/buttons.tsx";
import { currentMotion, type Motion, setMotion } from "../../state/motion.ts";

const CHOICES: Readonly<Record<Motion, string>> = { system: "Auto", none: "None" };

/** Chooses whether animations run. */
export function MotionToggle() {
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
