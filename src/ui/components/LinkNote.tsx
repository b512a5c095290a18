import { useRemotePlatform } from "../state/remotePlatform.ts";

/** A notice shown while the platform is disconnected or not answering. */
export function LinkNote() {
  const { platform, silence } = useRemotePlatform();
  if (platform !== null && silence === null) return null;
  return (
    <output className="callout callout--warning">
      {platform === null
        ? "The platform is disconnected. This page shows the last data received."
        : `Reconnecting… This page shows the last data received. ${silence}`}
    </output>
  );
}
