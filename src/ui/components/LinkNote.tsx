import { useRemotePlatform } from "../state/remotePlatform.ts";

/** Says that the connected platform does not answer, while it does not. */
export function LinkNote() {
  const { platform, silence } = useRemotePlatform();
  if (platform !== null && silence === null) return null;
  return (
    <output className="callout callout--warning">
      {platform === null
        ? "The platform is disconnected. What is shown is what it told last."
        : `Reconnecting … What is shown is what the platform told last. ${silence}`}
    </output>
  );
}
