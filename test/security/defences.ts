import { parseJson } from "../../actors/acp-client/json.ts";
import { shapeFault } from "../../actors/acp-client/shape.ts";
import { checkedSetup } from "../../actors/sessions/setup.ts";
import type { Troupe } from "../../actors/troupe.ts";
import { assignInputs } from "../../machines/prompt/assign-inputs.ts";
import { type Command, parseCommand } from "../../machines/prompt/slash-command.ts";
import { consentText } from "../../projections/acp/consent.ts";
import { type Limits, MAX_LINE_BYTES } from "../../transports/acp/framer.ts";

import {
  accepted,
  byFile,
  type Consent,
  deep,
  gated,
  heard,
  inStore,
  isAssigned,
  isRead,
  isSpoofed,
  type Lookup,
  large,
  naiveCommand,
  naiveConsent,
  OPEN,
  opens,
  type Parse,
  type Pass,
  question,
  request,
  response,
  servers,
  setUp,
  unchecked,
  ungated,
  type World,
  wide,
} from "./attacks.ts";

export type Defence = {
  threat: string;
  attack: string;
  stops: string;
  /** Whether the attack got through. */
  real: (world: World) => boolean | Promise<boolean>;
  off: (world: World) => boolean | Promise<boolean>;
};
/** The same attack on the defence and on what stands in its place when it is off. */
function row<D>(
  [threat, attack, stops]: readonly [string, string, string],
  through: (defence: D, world: World) => boolean | Promise<boolean>,
  real: D,
  off: D,
): Defence {
  return { threat, attack, stops, real: (world) => through(real, world), off: (world) => through(off, world) };
}

export const DEFENCES: readonly Defence[] = [
  row(
    ["T8", "an input given twice, of which one is shown and the other used", "the parser refuses it"],
    (parse: Parse) => accepted(parse, "/x k=1 k=2"),
    parseCommand,
    naiveCommand,
  ),
  row(
    ["T8", "a quote that is never closed", "the parser refuses it"],
    (parse: Parse) => accepted(parse, "/x k='a"),
    parseCommand,
    naiveCommand,
  ),
  row(
    ["T8", "a value cut at its second `=`", "the first `=` splits"],
    (parse: Parse) => JSON.stringify(parse("/x k=a=b")) !== JSON.stringify(parseCommand("/x k='a=b'")),
    parseCommand,
    naiveCommand,
  ),
  row(
    ["T8", "a command of more than a mebibyte, or of 300 inputs", "limits of lengths"],
    (parse: Parse) =>
      accepted(parse, `/x k=${"v".repeat(1024 * 1024)}`) ||
      accepted(
        parse,
        `/x ${servers.map(({ name }) => `${name}=1 ${name}a=1 ${name}b=1 ${name}c=1 ${name}d=1`).join(" ")}`,
      ),
    parseCommand,
    naiveCommand,
  ),
  row(
    ["T8", "an input that the workflow does not declare", "only declared names are assigned"],
    (assign: (command: Command) => object) => isAssigned(assign, "PATH"),
    (command) => assignInputs(command, []),
    (command) => command,
  ),
  row(
    ["T9", "a line of more than 10 MiB", "the framer drops it while it arrives"],
    (limits: Partial<Limits>) => heard(limits, ...large).length > 0,
    { maxBytes: MAX_LINE_BYTES },
    OPEN,
  ),
  row(
    ["T9", "brackets nested 200 deep", "the shape of a text is seen before it is parsed"],
    (limits: Partial<Limits>) => heard(limits, deep).length > 0,
    { shapeFault },
    OPEN,
  ),
  row(
    ["T9", "a message of more than 100,000 keys and items", "the shape of a text is seen before it is parsed"],
    (limits: Partial<Limits>) => heard(limits, wide).length > 0,
    { shapeFault },
    OPEN,
  ),
  row(
    ["T10", "`__proto__` in a message, plain and escaped", "the parser drops it"],
    (limits: Partial<Limits>) =>
      heard(limits, '{"a":{"__proto__":{"x":1}}}\n', '{"a":{"\\u005f_proto__":{"x":1}}}\n').some(
        ({ a }) => (Object.assign({}, a) as { x?: number }).x === 1,
      ),
    { parseJson },
    OPEN,
  ),
  row(
    ["T17", "a session of another principal", "sessions are found for their principal alone"],
    (as: (world: World) => Troupe, world) => opens(as(world), world.session),
    ({ troupe }) => troupe.as("mallory"),
    ({ troupe }) => troupe.as("owner"),
  ),
  row(
    ["T17", "an answer to a question that this client was not asked", "the gate drops answers to nothing"],
    (pass: Pass) => pass([response]),
    gated,
    ungated,
  ),
  row(
    ["T25", "an answer given a second time", "the gate lets one through"],
    (pass: Pass) => pass([response, response], [7]),
    gated,
    ungated,
  ),
  row(
    ["T25", "a command that closes the fence it is shown in", "the fence is longer than any in it"],
    (consent: Consent) => isSpoofed(consent, "rm -rf /\n```\nread the README"),
    consentText,
    naiveConsent,
  ),
  row(
    ["T25", "a command of 300 lines whose end is harmful", "it is shown whole"],
    (consent: Consent) => isSpoofed(consent, `${"true\n".repeat(300)}rm -rf /`),
    consentText,
    naiveConsent,
  ),
  row(
    ["T25", "a command that reads backwards, or has parts of no width", "what cannot be seen is written out"],
    (consent: Consent) => /[\u202e\u200b]/.test(consent(question("a\u202eb\u200b"))),
    consentText,
    naiveConsent,
  ),
  row(
    ["T28", "two requests in flight with one id", "the gate refuses the second"],
    (pass: Pass) => pass([request(1, "a"), request(1, "b")]),
    gated,
    ungated,
  ),
  row(
    ["T28", "ids that no answer could carry: null, 1.5, 2^53, 2,000 bytes", "the gate refuses them"],
    (pass: Pass) => [null, 1.5, 2 ** 53, "x".repeat(2_000)].some((id) => pass([request(id, "a")])),
    gated,
    ungated,
  ),
  row(
    ["T28", "a second `initialize`", "the gate refuses it"],
    (pass: Pass) => pass([request(1, "initialize"), request(2, "initialize")]),
    gated,
    ungated,
  ),
  row(
    ["T28", "65 servers, or directories, and one that is relative", "a session's setup is checked"],
    (check: typeof checkedSetup) =>
      setUp(check, { mcpServers: servers }) ||
      setUp(check, { additionalDirectories: servers.map(() => "/") }) ||
      setUp(check, { additionalDirectories: ["../.."] }),
    checkedSetup,
    unchecked,
  ),
  row(
    ["T29", "a session id that is a path", "ids are looked up, and name no file"],
    (lookup: Lookup, world) => isRead(lookup, world, "../secret"),
    inStore,
    byFile,
  ),
];
