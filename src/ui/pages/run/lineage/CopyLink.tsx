import { useState } from "react";
import { messageOf } from "../../../lib/format.ts";
import { useWorkbench } from "../../../state/Workbench.ts";

/** A button that copies the URL of a view. @param href the URL hash */
export function CopyLink({ href }: { readonly href: string }) {
  const workbench = useWorkbench();
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    const address = new URL(href, window.location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      setCopied(href);
    } catch (error) {
      workbench.alert(`The link could not be copied (${messageOf(error)}): ${address}`);
    }
  };
  return (
    <button type="button" className="button button--small" onClick={() => void copy()}>
      <span aria-live="polite">{copied === href ? "Link copied" : "Copy link"}</span>
    </button>
  );
}
