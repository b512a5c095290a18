import { deflateSync, strToU8 } from "fflate";
import { describe, expect, it } from "vitest";
import { readSharedEnvironment, sharedEnvironment } from "../../../src/ui/ownEnvironment/environmentLink.ts";
import { STARTER, STARTER_NAME } from "../../../src/ui/ownEnvironment/starter.ts";

const linkTo = (text: string): string => Buffer.from(deflateSync(strToU8(text))).toString("base64url");

describe("an environment in a link", () => {
  it("comes back to the letter, alone and with a manifest, in an address of modest length", () => {
    const alone = { name: STARTER_NAME, source: STARTER };
    const letters = sharedEnvironment(alone);
    expect(letters.length).toBeLessThan(2500);
    expect(readSharedEnvironment(letters)).toEqual(alone);
    const both = { ...alone, manifest: "environment: {name: user/cartpole}\n" };
    expect(readSharedEnvironment(sharedEnvironment(both))).toEqual(both);
  });

  it.each([
    ["another name", linkTo('{"name":"../up","source":"x"}'), "it does not contain an environment"],
    ["another field", linkTo('{"name":"a","source":"x","run":true}'), "it does not contain an environment"],
    ["no JSON", linkTo("export default class {}"), "it does not contain an environment"],
    ["no code", linkTo('{"name":"a","source":""}'), "it does not contain an environment"],
    ["a bomb", linkTo("x".repeat(5_000_000)), "larger than 1000 kB"],
    ["other letters", "a b", "it contains invalid characters"],
  ])("refuses %s in a sentence", (_, letters, reason) => {
    expect(() => readSharedEnvironment(letters)).toThrow(
      new RegExp(`^The environment in this link cannot be read: .*${reason}.*\\. Ask for a new link\\.$`),
    );
  });
});
