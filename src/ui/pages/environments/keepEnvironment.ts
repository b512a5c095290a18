import type { Connection } from "../../client/Connection.ts";
import type { SharedEnvironmentText } from "../../ownEnvironment/environmentLink.ts";
import { navigate } from "../../routes/navigation.ts";
import { editorRoute, ownEnvironmentRoute } from "../../routes/route.ts";
import { readKeptEnvironments, useKeptEnvironments } from "../../state/kept.ts";

/** Returns a name that no other environment has. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const name = n === 1 ? wanted : `${wanted.slice(0, 58)}-${n}`;
    if (!taken.has(name)) return name;
  }
}

/**
 * Saves an environment that was shared, or a robot that was dropped, under a free name, and opens its manifest if it
 * has one, or else its code.
 */
export async function keepEnvironment(
  coordinator: Connection["coordinator"],
  { name: wanted, source, manifest }: SharedEnvironmentText,
): Promise<void> {
  await readKeptEnvironments(coordinator);
  const { environments } = useKeptEnvironments.getState();
  const name = freeName(wanted, new Set(environments?.map((kept) => kept.name)));
  await coordinator.saveEnvironment(name, source);
  await readKeptEnvironments(coordinator);
  if (manifest === undefined) return navigate(ownEnvironmentRoute(name));
  const { openText } = await import("../editor/openInEditor.ts");
  const format = openText(manifest.replaceAll(`user/${wanted}`, `user/${name}`));
  navigate(editorRoute({ kind: "draft" }, format));
}
