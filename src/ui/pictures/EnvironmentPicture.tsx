import { useEffect, useRef, useState } from "react";
import { environmentId } from "../../specs/messages.ts";
import { decodeClip, type RecordedChampion } from "../../stage/recording.ts";
import { EnvironmentGlyph } from "../components/EnvironmentGlyph.tsx";
import { formatScore } from "../lib/format.ts";
import { useOnScreen } from "../lib/useElement.ts";
import { whenIdle } from "../lib/whenIdle.ts";
import { wantsStillness } from "../stage/stageSettings.ts";
import { loadChampions, loadStills } from "./loadPictures.ts";
import { Picture } from "./Picture.ts";
import "./EnvironmentPicture.css";

interface Props {
  readonly environment: string;
  /** Whether the environment trains a language model. */
  readonly text?: boolean;
  /** Whether the user points at it, or has the focus on it. */
  readonly pointed: boolean;
}

/**
 * An environment's own drawing of a state. While the user points at it, its champion moves, if it has one. Its glyph stands in
 * until the drawing is loaded, and for environments without one.
 */
export function EnvironmentPicture({ environment, text = false, pointed }: Props) {
  const id = environmentId(environment);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [picture, setPicture] = useState<Picture | null>(null);
  const [champion, setChampion] = useState<RecordedChampion | null>(null);
  const { onScreen: near, ref } = useOnScreen(false, "200px");
  const [seen, setSeen] = useState(false);
  if (near && !seen) setSeen(true);

  useEffect(() => {
    if (!seen || text) return undefined;
    let made: Picture | null = null;
    let closed = false;
    const load = async (): Promise<void> => {
      const found = (await loadStills()).of(id);
      if (closed || found === null || canvas.current === null) return;
      made = new Picture(canvas.current, found.draw, found.state);
      setPicture(made);
    };
    // A card without a picture has its glyph, which is enough where loading fails.
    const cancel = whenIdle(() => void load().catch(() => undefined));
    return () => {
      closed = true;
      cancel();
      made?.close();
      setPicture(null);
    };
  }, [id, seen, text]);

  useEffect(() => {
    if (picture === null || !pointed || wantsStillness()) return undefined;
    let ended = false;
    loadChampions().then(
      (champions) => {
        const found = champions[id];
        if (ended || found === undefined) return;
        picture.play(decodeClip(found.clip), found.interval);
        setChampion(found);
      },
      () => undefined,
    );
    return () => {
      ended = true;
      picture.stop();
      setChampion(null);
    };
  }, [id, picture, pointed]);

  return (
    <div className="picture relative cropped" ref={ref} data-drawn={picture !== null}>
      <EnvironmentGlyph environment={environment} text={text} />
      <canvas ref={canvas} className="picture__canvas" aria-hidden="true" />
      {champion !== null && (
        <span className="picture__caption tiny" aria-hidden="true">
          {champion.algorithm}, return {formatScore(champion.score)}
        </span>
      )}
    </div>
  );
}
