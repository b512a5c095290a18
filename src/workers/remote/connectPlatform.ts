/**
 * Connects to a platform: checks that the address responds, is an rlkit platform, and accepts the key. Says in words what
 * is wrong when it does not.
 */
import { z } from "zod";
import { refusesOrigin } from "../../http/access.ts";
import { RemoteApiError, RemoteAuthError, RemoteClient, RemoteError } from "../../remote/index.ts";
import { FieldError } from "../../specs/checks.ts";
import { reasonOf } from "../../storage/files.ts";
import type { RemotePlatform } from "../protocol/remote.ts";

const User = z.looseObject({
  name: z.string(),
  scopes: z.array(z.string()),
  project: z.string().nullable(),
});

const Project = z.looseObject({ name: z.string() });

interface ConnectedPlatform {
  readonly client: RemoteClient;
  readonly platform: RemotePlatform;
}

/**
 * @param origin Origin of the page.
 * @throws Error that says what is wrong and what to do.
 */
export async function connectPlatform(
  address: string,
  key: string,
  origin: string | null,
): Promise<ConnectedPlatform> {
  try {
    const client = new RemoteClient({ base_url: address, api_key: key });
    const user = User.parse(await client.currentUser());
    const projects = z.array(Project).parse(await client.listProjects());
    return {
      client,
      platform: {
        address: client.base_url,
        user: { name: user.name, scopes: user.scopes, project: user.project },
        projects: projects.map(({ name }) => name),
      },
    };
  } catch (error) {
    throw new Error(await refusalOf(error, address, origin), { cause: error });
  }
}

async function refusalOf(error: unknown, address: string, origin: string | null): Promise<string> {
  const wrong = error instanceof RemoteError && error.cause instanceof FieldError ? error.cause : null;
  if (wrong) return `${wrong.field === "api_key" ? "Key" : "Address"}: ${wrong.detail}.`;
  if (error instanceof RemoteAuthError)
    return "The platform does not know this key. Ask whoever runs it for one (rlkit-platform key create).";
  const isOther = error instanceof RemoteApiError && [200, 404].includes(error.status_code);
  if (error instanceof z.ZodError || isOther)
    return `${address} answers, but is not an rlkit platform. Check the address.`;
  if (!(error instanceof RemoteApiError) || error.status_code !== 0) return plainMessage(error);
  if (isMixed(address, origin))
    return `This page was loaded over https, so the browser allows requests only to https addresses and this machine. Give the platform's https address.`;
  if (await refusesOrigin(address, origin, (...request) => fetch(...request)))
    return `${address} answers, but does not allow requests from pages of ${origin}. Start the platform with --origin ${origin}.`;
  return `${address} does not answer. Check the address, and whether the platform is running there.`;
}

/** Whether the browser blocks the address as mixed content: an https page that requests http. */
const isMixed = (address: string, origin: string | null): boolean =>
  origin?.startsWith("https:") === true &&
  /^http:/i.test(address) &&
  !/^http:\/\/(localhost|127\.|\[::1\])/i.test(address);

/** A platform error as one or more sentences for the user. */
export function plainMessage(error: unknown): string {
  if (!(error instanceof RemoteApiError)) return sentence(reasonOf(error));
  const { detail, status_code, extras, hint } = error;
  if (status_code === 0) return sentence(detail);
  const others = Object.entries(extras)
    .filter(([name]) => name !== "retry_after")
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  return [detail, ...others, ...(hint === null ? [] : [hint])].map(sentence).join(" ");
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
