/** A hub on this machine: the interface of Hugging Face's, and a host of its own for large files. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Content = Uint8Array | string;

interface FakeRepository {
  readonly files: Readonly<Record<string, Content>>;
  readonly commit?: string;
  readonly licence?: string;
  readonly gated?: boolean;
  /** Only with the token, there is such a repository. */
  readonly hidden?: boolean;
  readonly cardData?: object;
}

interface SeenRequest {
  readonly host: "hub" | "cdn";
  readonly path: string;
  readonly token: string | null;
  readonly range: string | null;
}

export const COMMIT = "c0ffee".padEnd(40, "0");
export const TOKEN = "hf_ofATestThatIsNoSecret";
/** What the hub and its host let pages of other origins do and read. */
const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "authorization, range",
  "access-control-expose-headers": "content-range, link, x-error-code",
};

/** Files from this size on are large: they lie on the other host, and have a SHA-256. */
const LARGE = 4096;

const bytesOf = (content: Content): Buffer => Buffer.from(content);
const isLarge = (content: Content): boolean => bytesOf(content).length >= LARGE;
const sha256 = (content: Content): string => createHash("sha256").update(bytesOf(content)).digest("hex");
const gitId = (content: Content): string =>
  createHash("sha1")
    .update(`blob ${bytesOf(content).length}\0`)
    .update(bytesOf(content))
    .digest("hex");

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

export class FakeHub {
  address = "";
  #cdn = "";
  readonly #servers: Server[] = [];
  /** By kind and id: "models/owner/name". */
  readonly repositories = new Map<string, FakeRepository>();
  requests: SeenRequest[] = [];
  /** Whether the token has been granted access to gated repositories. */
  granted = true;
  /** Bytes that a connection delivers of a file before it ends; null for all. */
  cut: (path: string) => number | null = () => null;
  /** Replaces what is sent of a file. */
  sent: (path: string, content: Buffer) => Buffer = (_path, content) => content;
  /** Entries of a page of a listing. */
  pageSize = 1000;

  static async open(): Promise<FakeHub> {
    const hub = new FakeHub();
    const serve = (answer: (request: IncomingMessage, response: ServerResponse) => void): Server =>
      createServer((request, response) => {
        for (const [name, value] of Object.entries(CORS)) response.setHeader(name, value);
        if (request.method === "OPTIONS") response.writeHead(204).end();
        else answer(request, response);
      });
    const own = serve((request, response) => hub.#answer(request, response));
    const cdn = serve((request, response) => hub.#large(request, response));
    hub.#servers.push(own, cdn);
    hub.address = await listen(own);
    hub.#cdn = await listen(cdn);
    return hub;
  }

  /** Forgets the repositories, requests and faults of a test. */
  clear(): void {
    this.repositories.clear();
    this.requests = [];
    this.granted = true;
    this.cut = () => null;
    this.sent = (_path, content) => content;
    this.pageSize = 1000;
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  /** Paths of the files that were asked for. */
  get loaded(): readonly string[] {
    return this.requests.flatMap(({ path }) => /\/resolve\/[^/]+\/(.+)$/.exec(path)?.[1] ?? []);
  }

  #note(host: "hub" | "cdn", { url = "", headers }: IncomingMessage): void {
    const token = headers.authorization?.replace("Bearer ", "") ?? null;
    this.requests.push({ host, path: url, token, range: headers.range ?? null });
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    this.#note("hub", request);
    const fail = (status: number, code: string): void =>
      void response.writeHead(status, { "x-error-code": code }).end("{}");
    const url = new URL(request.url ?? "", this.address);
    const token = request.headers.authorization?.replace("Bearer ", "") ?? null;
    const api = /^\/api\/(models|datasets)\/([^/]+\/[^/]+)\/(revision|tree)\/([^/]+)$/.exec(url.pathname);
    const file = /^\/(datasets\/)?([^/]+\/[^/]+)\/resolve\/([^/]+)\/(.+)$/.exec(url.pathname);
    const key = api ? `${api[1]}/${api[2]}` : `${file?.[1] ? "datasets" : "models"}/${file?.[2]}`;
    const found = this.repositories.get(key);
    if (!found || (found.hidden && token !== TOKEN)) return fail(token ? 404 : 401, "RepoNotFound");
    const { commit = COMMIT } = found;
    const asked = api?.[4] ?? file?.[3];
    if (asked !== "main" && asked !== commit && asked !== "v1") return fail(404, "RevisionNotFound");
    if (api?.[3] === "revision") return this.#description(found, commit, response);
    if (api) return this.#tree(found, url, response);
    if (found.gated && !(token === TOKEN && this.granted)) return fail(token ? 403 : 401, "GatedRepo");
    const path = decodeURIComponent(file?.[4] ?? "");
    const content = found.files[path];
    if (content === undefined) return fail(404, "EntryNotFound");
    if (!isLarge(content)) return this.#send(path, bytesOf(content), request, response);
    const place = `${this.#cdn}/${key}/${path}`;
    response.writeHead(302, { location: place }).end();
  }

  #description({ licence, gated = false, cardData }: FakeRepository, sha: string, response: ServerResponse) {
    const card = { ...cardData, ...(licence && { license: licence }) };
    response.end(
      JSON.stringify({ id: "any", sha, gated: gated ? "manual" : false, cardData: card, tags: [] }),
    );
  }

  #tree({ files }: FakeRepository, url: URL, response: ServerResponse): void {
    const entries = Object.entries(files).map(([path, content]) => ({
      type: "file",
      path,
      oid: gitId(content),
      size: bytesOf(content).length,
      ...(isLarge(content) && {
        lfs: { oid: sha256(content), size: bytesOf(content).length, pointerSize: 130 },
      }),
    }));
    const start = Number(url.searchParams.get("cursor") ?? 0);
    const end = start + this.pageSize;
    const next = `<${this.address}${url.pathname}?recursive=true&cursor=${end}>; rel="next"`;
    response.writeHead(200, end < entries.length ? { link: next } : {});
    response.end(
      JSON.stringify([{ type: "directory", path: "data", oid: "0" }, ...entries.slice(start, end)]),
    );
  }

  #large(request: IncomingMessage, response: ServerResponse): void {
    this.#note("cdn", request);
    const [, kind, owner, name, ...rest] = decodeURIComponent(request.url ?? "").split("/");
    const content = this.repositories.get(`${kind}/${owner}/${name}`)?.files[rest.join("/")];
    if (content === undefined) return void response.writeHead(404).end();
    this.#send(rest.join("/"), bytesOf(content), request, response);
  }

  #send(path: string, whole: Buffer, { headers }: IncomingMessage, response: ServerResponse): void {
    const content = this.sent(path, whole);
    const [, from, to] = /bytes=(\d+)-(\d*)/.exec(headers.range ?? "") ?? [];
    const start = Number(from ?? 0);
    const due = to ? Math.min(Number(to) + 1, content.length) : content.length;
    const length = { "content-length": due - start };
    const range = { "content-range": `bytes ${start}-${due - 1}/${content.length}` };
    response.writeHead(from ? 206 : 200, from ? { ...length, ...range } : length);
    const most = this.cut(path);
    const end = most === null ? due : Math.min(due, start + most);
    if (end === due) return void response.end(content.subarray(start, due));
    response.write(content.subarray(start, end), () => response.destroy());
  }
}
