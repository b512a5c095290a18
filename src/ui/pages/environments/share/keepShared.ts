import type { Connection } from "../../../client/Connection.ts";
import type { SharedEnvironmentText } from "../../../ownEnvironment/environmentLink.ts";
import { navigate } from "../../../routes/navigation.ts";
import { editorRoute, environmentsRoute } from "../../../routes/route.ts";
import { readKeptEnvironments, useKeptEnvironments } from "../../../state/kept.ts";

/** Returns a name that no other environment has. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted.slice(0, 58)}-${n}`;
    if (!taken.has(name)) return name;
  }
}

/** Saves a shared environment under a free name, and opens its manifest if it has one, or else its code. */
export async function keepShared(
  coordinator: Connection["coordinator"],
  { name: wanted, source, manifest }: SharedEnvironmentText,
): Promise<void> {
  await readKeptEnvironments(coordinator);
  const { environments } = useKeptEnvironments.getState();
  const name = freeName(wanted, new Set(environments?.map((kept) => kept.name)));
  await coordinator.saveEnvironment(name, source);
  await readKeptEnvironments(coordinator);
  if (manifest === undefined) return navigate(environmentsRoute(name));
  const { loadText } = await import("../../editor/editorStore.ts");
  const { manifestFormat } = await import("../../../../specs/text.ts");
  const text = manifest.replaceAll(`user/${wanted}`, `user/${name}`);
  const format = manifestFormat(text);
  loadText(text, "draft", format);
  navigate(editorRoute({ kind: "draft" }, format));
}
