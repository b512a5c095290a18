import { Pause, Play, StepForward } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Button } from "../components/Button.tsx";
import { Select, TextField } from "../components/controls.tsx";

/** Playback state and speed. */
export interface Pace {
  readonly playing: boolean;
  /** Speed factor; 1 is the environment's own speed. */
  readonly speed: number;
}

const SPEEDS = [0.25, 0.5, 1, 2, 4, 8] as const;
const MOST_SEED = 2 ** 31 - 1;

interface Props {
  readonly pace: Pace;
  /** Seed of the current episode. */
  readonly seed: number;
  readonly onPace: (pace: Pace) => void;
  readonly onStep: () => void;
  readonly onSeed: (seed: number) => void;
}

/** Controls for play, pause, step, speed and seed. */
export function PlayControls({ pace, seed, onPace, onStep, onSeed }: Props) {
  const { playing, speed } = pace;
  const speedId = useId();
  return (
    <div className="row player__controls small">
      <Button small onClick={() => onPace({ playing: !playing, speed })}>
        {playing ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
        {playing ? "Pause" : "Play"}
      </Button>
      <Button
        small
        onClick={() => {
          if (playing) onPace({ playing: false, speed });
          onStep();
        }}
      >
        <StepForward size={16} aria-hidden="true" />
        Step
      </Button>
      <label htmlFor={speedId}>Speed</label>
      <Select
        className="auto-width"
        id={speedId}
        value={speed}
        options={SPEEDS.map((one) => [one, `${one} ×`] as const)}
        onChange={(chosen) => onPace({ playing, speed: Number(chosen) })}
      />
      <SeedField key={seed} seed={seed} onSeed={onSeed} />
    </div>
  );
}

/** A field to change the seed of the current episode. */
function SeedField({ seed, onSeed }: Pick<Props, "seed" | "onSeed">) {
  const id = useId();
  const [text, setText] = useState(String(seed));
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  const isSeed = value <= MOST_SEED;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSeed) onSeed(value);
  };
  return (
    <form className="row player__seed small" onSubmit={submit}>
      <label htmlFor={id}>Seed</label>
      <TextField id={id} inputMode="numeric" value={text} aria-invalid={!isSeed} onChange={setText} />
      <Button type="submit" small disabled={!isSeed}>
        Restart
      </Button>
    </form>
  );
}
