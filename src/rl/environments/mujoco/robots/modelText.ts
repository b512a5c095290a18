/** The files of a robot's model before MuJoCo reads them: their sizes, and what they would expand to. */
import { EnvironmentError } from "../../face/EnvironmentError.ts";
import { elementsOf, type XmlElement } from "./xmlElements.ts";

/** A file's text, or its bytes in base64. */
export type RobotFile = string | { readonly base64: string };
/** Files by name; names in models are relative to the model. */
export type RobotFiles = Readonly<Record<string, RobotFile>>;

/** Bytes of all XML, of one other file, and of all files. */
export const ROBOT_BYTES = { xml: 1_000_000, file: 4_000_000, all: 8_000_000 } as const;
const MOST_FILES = 200;
/** Elements after copies are counted; MuJoCo takes a second for 2,000 bodies. */
const MOST_ELEMENTS = 5_000;
/** Numbers of a table of heights. */
const MOST_HEIGHTS = 1_000_000;
/** Copies that a `flexcomp` makes unless it says otherwise, and bytes of a file for each of its nodes. */
const [FLEX, NODE_BYTES] = [1_000, 20];

export const bytesOf = (file: RobotFile): number =>
  typeof file === "string" ? new TextEncoder().encode(file).length : Math.floor((file.base64.length * 3) / 4);

const isXml = (name: string): boolean => /\.xml$/i.test(name);

/** Where a model's file is: under its whole name, or, as MuJoCo finds it too, under its last part. */
export function fileIn(files: RobotFiles, name: string): string | null {
  const short = name.slice(name.lastIndexOf("/") + 1);
  return [name, short].find((one) => Object.hasOwn(files, one)) ?? null;
}

/** @throws EnvironmentError for a file that is kept as bytes, which nobody has looked into. */
function textIn(files: RobotFiles, name: string): string {
  const file = files[name];
  if (typeof file === "string") return file;
  throw new EnvironmentError(`${name}: found bytes, allowed XML as text`);
}

/** Elements that name a file, with the attribute of `compiler` that names its folder. */
const FOLDERS: Readonly<Record<string, string>> = {
  include: "",
  mesh: "meshdir",
  hfield: "meshdir",
  skin: "meshdir",
  flexcomp: "meshdir",
};

export interface NamedFile {
  readonly name: string;
  readonly line: number;
}

/** Joins a folder and a name as paths are. */
export const joined = (folder: string, name: string): string =>
  folder === "" || name.startsWith("/") ? name : `${folder.replace(/\/$/, "")}/${name}`;

/** Attributes of `compiler` elements, which hold for a model and all that it includes. */
type Compiler = Readonly<Record<string, string>>;

/**
 * The files that a text of MJCF names: textures are not among them, since physics does without.
 * @param compiler Of the models that include this one.
 */
export function filesNamed(
  text: string,
  place: string,
  compiler: Compiler = {},
): { readonly named: readonly NamedFile[]; readonly compiler: Compiler } {
  const folders: Record<string, string> = { ...compiler };
  const named: (NamedFile & { readonly folder: string })[] = [];
  for (const { tag, attributes, line, kind } of elementsOf(text, place)) {
    if (kind === "end") continue;
    if (tag === "compiler") Object.assign(folders, attributes);
    const folder = FOLDERS[tag];
    const { file } = attributes;
    if (folder !== undefined && file) named.push({ name: file, line, folder });
  }
  const { assetdir = "", strippath } = folders;
  const at = named.map(({ name, line, folder }) => {
    if (folder === "") return { name, line };
    const own = strippath === "true" ? name.slice(name.lastIndexOf("/") + 1) : name;
    return { name: joined(folders[folder] ?? assetdir, own), line };
  });
  return { named: at, compiler: folders };
}

const product = (text: string | undefined, none: number): number =>
  text === undefined
    ? none
    : text
        .trim()
        .split(/\s+/)
        .reduce((all, one) => all * Math.max(1, Number(one) || 1), 1);

/** How many elements an element stands for. */
function copies({ tag, attributes }: XmlElement, files: RobotFiles): number {
  if (tag === "replicate" || tag === "composite") return product(attributes.count, 1);
  if (tag !== "flexcomp") return 1;
  const name = attributes.file === undefined ? null : fileIn(files, attributes.file);
  const file = name === null ? undefined : files[name];
  return product(attributes.count, FLEX) + (file === undefined ? 0 : bytesOf(file) / NODE_BYTES);
}

/** Counts a model's elements, with copies and included files. @throws EnvironmentError at the line of too many. */
function countElements(files: RobotFiles, model: string): void {
  let sum = 0;
  const count = (name: string, times: number, within: readonly string[]): void => {
    const open: number[] = [times];
    for (const element of elementsOf(textIn(files, name), name)) {
      if (element.kind === "end") {
        if (open.length > 1) open.pop();
        continue;
      }
      const { tag, attributes, line } = element;
      const refuse = (what: string): never => {
        throw new EnvironmentError(`${name}, line ${line}: ${what}`);
      };
      if (tag === "robot")
        refuse(
          "found <robot>, a model in URDF, allowed MJCF; let MuJoCo convert it (mj_saveLastXML writes joints that mimic others as <equality>), then add <actuator>",
        );
      if (["attach", "model", "plugin"].includes(tag))
        refuse(`found <${tag}>, which robots cannot have; write what it stands for`);
      const own = (open.at(-1) ?? 1) * copies(element, files);
      sum += own;
      if (sum > MOST_ELEMENTS)
        refuse(
          `found more than ${MOST_ELEMENTS} elements with the copies of <${tag}>, allowed at most ${MOST_ELEMENTS}`,
        );
      const { nrow, ncol, file } = attributes;
      if (tag === "hfield" && product(nrow, 1) * product(ncol, 1) > MOST_HEIGHTS)
        refuse(`found a table of ${nrow} x ${ncol} heights, allowed at most ${MOST_HEIGHTS}`);
      if (element.kind === "start") open.push(own);
      const included = tag === "include" && file ? fileIn(files, file) : null;
      if (included === null) continue;
      if (within.includes(included)) refuse(`found <include> of ${included} within itself`);
      count(included, own, [...within, included]);
    }
  };
  count(model, 1, [model]);
}

/**
 * Checks the files of a robot.
 * @param model Name of the main file.
 * @throws EnvironmentError naming the file, and the line if there is one, of the first fault.
 */
export function requireModel(files: RobotFiles, model: string): void {
  const names = Object.keys(files);
  const sizes = names.map((name) => ({ name, bytes: bytesOf(files[name] ?? "") }));
  const sum = (some: typeof sizes): number => some.reduce((all, { bytes }) => all + bytes, 0);
  const largest = sizes.find(({ name, bytes }) => !isXml(name) && bytes > ROBOT_BYTES.file);
  const faults = [
    names.length > MOST_FILES && `found ${names.length} files, allowed at most ${MOST_FILES}`,
    largest && `${largest.name}: found ${largest.bytes} bytes, allowed at most ${ROBOT_BYTES.file}`,
    sum(sizes.filter(({ name }) => isXml(name))) > ROBOT_BYTES.xml &&
      `${model}: found more than ${ROBOT_BYTES.xml} bytes of XML, allowed at most ${ROBOT_BYTES.xml}`,
    sum(sizes) > ROBOT_BYTES.all &&
      `found files of ${sum(sizes)} bytes, allowed at most ${ROBOT_BYTES.all} together`,
    typeof files[model] !== "string" &&
      `robot: found "${model}", which is not among the files (${names.join(", ") || "none"})`,
  ];
  const fault = faults.find(Boolean);
  if (fault) throw new EnvironmentError(String(fault));
  countElements(files, model);
  let compiler: Compiler = {};
  for (const name of [model, ...names.filter((one) => isXml(one) && one !== model)]) {
    const found = filesNamed(textIn(files, name), name, compiler);
    compiler = found.compiler;
    for (const { name: wanted, line } of found.named)
      if (fileIn(files, wanted) === null)
        throw new EnvironmentError(
          `${name}, line ${line}: found no file "${wanted}"; put it beside the model (there are ${names.join(", ")})`,
        );
  }
}

const blank = (found: string): string => found.replace(/[^\n]/g, " ");

/** A text without what physics does not need or must not decide: textures, and the sizes of MuJoCo's memory. */
const lean = (text: string): string =>
  text
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/<texture\b[^>]*\/>|<texture\b[^>]*>\s*<\/texture\s*>/g, blank)
    .replace(/<layer\b[^>]*\/>/g, blank)
    .replace(/(<material\b[^>]*?)\stexture\s*=\s*(?:"[^"]*"|'[^']*')/g, "$1")
    .replace(/<size\b[^>]*\/>|<size\b[^>]*>\s*<\/size\s*>/g, blank);

function bytesIn(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch (cause) {
    throw new EnvironmentError("found a file that is not in base64", { cause });
  }
}

/** The files as MuJoCo reads them; lines stay where they are. @param memory Of a simulation, such as "1M". */
export function readyFiles(files: RobotFiles, model: string, memory: string) {
  const text = lean(textIn(files, model)).replace(
    /<mujoco\b[^>]*[^/]>|<mujoco>/,
    (head) => `${head}<size memory="${memory}"/>`,
  );
  const others = Object.entries(files).filter(([name]) => name !== model);
  const bytes = (file: RobotFile): Uint8Array =>
    typeof file === "string" ? new TextEncoder().encode(lean(file)) : bytesIn(file.base64);
  return { text, files: new Map(others.map(([name, file]) => [name, bytes(file)])) };
}
