/**
 * The text by which a person decides in an editor. Editors show a question's title and content, few show its input, and
 * some show nothing but its title.
 *
 * I1. A tool's input, or what a step would do, stands in it whole, with the places it touches, fenced so that nothing in it can end the fence.
 * I2. What cannot be seen is written out, as on a terminal.
 * I3. Edits stand beside this text as diffs, where a client shows them; where it does not, in it.
 * I4. The title says on one line what is decided; what is too long for it is counted, never left out in silence.
 */
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import type { FileEdit, RowOf } from "../../machines/exchange.ts";
import { visible, visibleLine } from "../../machines/visible.ts";
import { editText } from "../shared/edit.ts";
import { deedOf, inputLine, inputText, placesOf } from "../shared/input-text.ts";
import { safeConsent } from "../terminal/safe.ts";
import { diffLine } from "../terminal/tool-words.ts";
import { textContent } from "./view.ts";

type PermissionRequested = RowOf<"permission.requested">["payload"];

/** All of it, edits too (I3). */
export const consentText = (asked: PermissionRequested): string => wordsOf(asked, asked.edits ?? []);

function wordsOf(asked: PermissionRequested, edits: readonly FileEdit[]): string {
  const { message, tool, timeoutMs } = asked;
  const deed = deedOf(asked);
  if (tool === undefined && deed === undefined) return visible(message);
  const places = placesOf(asked).map(({ path, line }) => (line === undefined ? path : `${path}:${line}`));
  const parts = [
    ...(message === "" ? [] : [safeConsent(message)]),
    ...(deed === undefined ? [] : [fenced(safeConsent(inputText(deed)))]),
    ...edits.map((edit) => fenced(editText(edit))),
    ...(places.length === 0 ? [] : [`Places: ${safeConsent(places.join(", "))}`]),
    ...(timeoutMs === undefined ? [] : [`Without an answer within ${timeoutMs / 1000} s it is refused.`]),
  ];
  return parts.join("\n\n");
}

/** As content of a card or a question: the words, and each edit as a diff. */
export function consentContent(asked: PermissionRequested): ToolCallContent[] {
  const diffs = (asked.edits ?? []).map((edit): ToolCallContent => ({ type: "diff", ...edit }));
  const text = wordsOf(asked, []);
  return text === "" && diffs.length > 0 ? diffs : [textContent(text), ...diffs];
}

/** Of a tool's input or of a workflow's words. */
const TITLE_CHARACTERS = 400;

export function consentTitle(asked: PermissionRequested): string {
  const title = visibleLine(asked.title);
  const deed = deedOf(asked);
  const words = asked.tool === undefined ? asked.message.trim().replaceAll("\n", " ") : "";
  const edits = (asked.edits ?? []).map(diffLine);
  const about = safeConsent(
    [words, deed === undefined ? "" : inputLine(deed), ...edits].filter((part) => part !== "").join(" · "),
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
