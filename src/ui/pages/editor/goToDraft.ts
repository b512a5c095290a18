import { navigate } from "../../routes/navigation.ts";
import { editorRoute } from "../../routes/route.ts";

/** Opens a manifest object in the editor, as a draft. The editor's code loads only when it is needed. */
export async function goToDraft(manifest: object): Promise<void> {
  const { openDraft } = await import("./openInEditor.ts");
  openDraft(manifest);
  navigate(editorRoute({ kind: "draft" }));
}
