/**
 * The text by which a person decides in an editor. Editors show a question's title and content, few show its input, and
 * some show nothing but its title.
 *
 * I1. A tool's input, or what a step would do, stands in it whole, with the places it touches, fenced so that nothing in it can end the fence.
 * I2. What cannot be seen is written out, as on a terminal.
 * I3. The title says on one line what is decided; what is too long for it is counted, never left out in silence.
 */
import type { RowOf } from "../../machines/exchange.ts";
import { visible, visibleLine } from "../../machines/visible.ts";
import { deedOf, inputLine, inputText } from "../shared/input-text.ts";
import { safeConsent } from "../terminal/safe.ts";

type PermissionRequested = RowOf<"permission.requested">["payload"];

export function consentText(asked: PermissionRequested): string {
  const { message, tool, locations = [], timeoutMs } = asked;
  const deed = deedOf(asked);
  if (tool === undefined && deed === undefined) return visible(message);
  const places = locations.map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));
  const parts = [
    ...(message === "" ? [] : [safeConsent(message)]),
    ...(deed === undefined ? [] : [fenced(safeConsent(inputText(deed)))]),
    ...(places.length === 0 ? [] : [`Places: ${safeConsent(places.join(", "))}`]),
    ...(timeoutMs === undefined ? [] : [`Without an answer within ${timeoutMs / 1000} s it is refused.`]),
  ];
  return parts.join("\n\n");
}

/** Of a tool's input or of a workflow's words. */
const TITLE_CHARACTERS = 400;

export function consentTitle(asked: PermissionRequested): string {
  const title = visibleLine(asked.title);
  const deed = deedOf(asked);
  const words = asked.tool === undefined ? asked.message.trim().replaceAll("\n", " ") : "";
  const about = safeConsent(
    [words, deed === undefined ? "" : inputLine(deed)].filter((part) => part !== "").join(" · "),
  );
  if (about === "") return title;
  const rest = about.length - TITLE_CHARACTERS;
  return rest <= 0 ? `${title} ${about}` : `${title} ${about.slice(0, TITLE_CHARACTERS)}… (${rest} more characters)`;
}

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
