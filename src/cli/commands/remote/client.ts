import { RemoteClient } from "../../../remote/index.ts";
import type { CommandLine, OptionDefinition } from "../../CommandLine.ts";

export const URL_OPTION: { readonly url: OptionDefinition } = {
  url: {
    value: "URL",
    help: "Address of the platform (default: RLKIT_BASE_URL, or http://127.0.0.1:8400). The key is read from RLKIT_API_KEY.",
  },
};

/** @throws RemoteConfigError for an invalid address; RemoteAuthError for a key that no header can carry. */
export const clientOf = (line: CommandLine): RemoteClient => new RemoteClient({ base_url: line.text("url") });
