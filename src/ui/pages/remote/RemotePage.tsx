import { PageHeading } from "../../components/PageHeading.tsx";
import { useRemotePlatform } from "../../state/remotePlatform.ts";
import { ConnectedPlatform } from "./ConnectedPlatform.tsx";
import { ConnectForm } from "./ConnectForm.tsx";
import "./RemotePage.css";

/** A training platform on other machines: the connection, its workers and its runs. */
export function RemotePage() {
  const platform = useRemotePlatform((state) => state.platform);
  return (
    <div className="page">
      <div className="page__head">
        <div className="page__head-text">
          <PageHeading title="Remote" />
          <p>Train on other machines through a training platform.</p>
        </div>
      </div>
      {platform === null ? <ConnectForm /> : <ConnectedPlatform platform={platform} />}
    </div>
  );
}
