import { sharedEnvironment } from "../../../ownEnvironment/environmentLink.ts";
import { formatRoute } from "../../../routes/route.ts";
import { useWorkbench } from "../../../state/Workbench.ts";
import type { EnvironmentDraft } from "../drafts.ts";

/** Copies a link that contains the code itself; nothing is uploaded. */
export function ShareEnvironmentButton({ draft: { name, text } }: { readonly draft: EnvironmentDraft }) {
  const workbench = useWorkbench();
  const share = (): Promise<boolean> =>
    workbench.attempt(async () => {
      const shared = sharedEnvironment({ name, source: text });
      const hash = formatRoute({ page: "environments", name: null, shared });
      await navigator.clipboard.writeText(new URL(hash, window.location.href).href);
      workbench.toasts.show({ tone: "info", message: "Link copied. It contains the code itself." });
    }, "share");
  return (
    <button type="button" className="button button--quiet button--small" onClick={() => void share()}>
      Copy link
    </button>
  );
}
