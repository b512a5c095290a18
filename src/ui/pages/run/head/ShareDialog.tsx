import { useCallback, useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { FormDialog } from "../../../components/FormDialog.tsx";
import { saveFile } from "../../../lib/files.ts";
import { formatBytes, formatCount, messageOf } from "../../../lib/format.ts";
import { isLocal } from "../../../lib/localAddress.ts";
import { remoteCalls, useRemotePlatform } from "../../../state/remotePlatform.ts";
import { useAnswer } from "../../../state/useAnswer.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import { copyLink, copyText } from "./shareRun.ts";

interface Props {
  readonly run: string;
  /** Of the agent in a frame, for screen readers. */
  readonly title: string;
  readonly onClose: () => void;
}

/** Ways to show a run's best agent to others: a link, a frame, a file. */
export function ShareDialog({ run, title, onClose }: Props) {
  const workbench = useWorkbench();
  const { coordinator } = workbench;
  const platform = useRemotePlatform((state) => state.platform);
  const [told, setTold] = useState<{ readonly problem: boolean; readonly text: string } | null>(null);
  const read = useCallback(async () => {
    const { playLink } = await import("../../play/playLink.ts");
    const file = await coordinator.agent(run, { kind: "elite" });
    // A policy may be too large for a link, and still fit into a file.
    return { file, link: await playLink(file).catch((error: unknown) => messageOf(error)) };
  }, [coordinator, run]);
  const { value: shared, problem } = useAnswer(read);
  const link = shared && URL.canParse(shared.link) ? shared.link : null;
  const attempt = async (act: () => Promise<string | null>): Promise<void> => {
    try {
      const text = await act();
      setTold(text === null ? null : { problem: false, text });
    } catch (error) {
      setTold({ problem: true, text: messageOf(error) });
    }
  };
  const copy = (): Promise<void> =>
    attempt(async () => {
      if (link !== null) await copyLink(workbench, link, "the playing elite");
      return null;
    });
  const embed = (): Promise<void> =>
    attempt(async () => {
      const { embedCode } = await import("../../play/playLink.ts");
      if (link !== null) await copyText(workbench, embedCode(link, title), "Embed code");
      return null;
    });
  const post = (): Promise<void> =>
    attempt(async () => {
      if (shared === undefined) return null;
      const { playFile } = await import("../../playFile/writePlayFile.ts");
      const { bytes } = await playFile(shared.file);
      const { linkPreview } = await import("../film/linkPreview.ts");
      // The link plays without one, too.
      const poster = await linkPreview(shared.file, title, document.body).catch(() => null);
      const url = await remoteCalls().postPlay(new TextDecoder().decode(bytes), title, poster);
      await copyText(workbench, url, `Short link ${url}`);
      return `${url} plays the agent for anyone who can reach the platform.`;
    });
  const save = (): Promise<void> =>
    attempt(async () => {
      if (shared === undefined) return null;
      const { playFile } = await import("../../playFile/writePlayFile.ts");
      const made = await playFile(shared.file);
      saveFile(made);
      return `Saved ${made.name}, ${formatBytes(made.bytes.length)}.`;
    });
  return (
    <FormDialog
      title="Share the champion"
      onSubmit={() => void copy()}
      onClose={onClose}
      actions={
        <Button type="submit" primary aria-disabled={link === null}>
          Copy link
        </Button>
      }
    >
      {shared === undefined && problem === null && <p>Packing the policy…</p>}
      {problem !== null && <p role="alert">{problem}</p>}
      {link !== null && (
        <p>The link contains the policy, in {formatCount(link.length)} characters. It needs no account.</p>
      )}
      {shared && link === null && <p role="alert">{shared.link}</p>}
      {link !== null && isLocal(window.location) && (
        <p className="bad">
          This page is at {window.location.hostname}, so the link opens on this computer only. Send the play
          file instead, or serve the workbench at an address that others can open.
        </p>
      )}
      <p className="quiet">
        The play file is one page that plays the agent without a network, from a disk or any web server.
      </p>
      <div className="row">
        <Button aria-disabled={shared === undefined} onClick={() => void save()}>
          Download play file
        </Button>
        {platform !== null && (
          <Button aria-disabled={shared === undefined} onClick={() => void post()}>
            Copy short link
          </Button>
        )}
        <Button aria-disabled={link === null} onClick={() => void embed()}>
          Copy embed code
        </Button>
      </div>
      {told !== null && (told.problem ? <p role="alert">{told.text}</p> : <output>{told.text}</output>)}
    </FormDialog>
  );
}
