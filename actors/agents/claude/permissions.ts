/**
 * The program's permission questions: control requests on its output, answered on its input.
 *
 * I1. Every control request is answered once, one that is not known here, or cannot be read, with an error: the program
 *     waits for it.
 * I2. What the program takes back is withdrawn from the person who is asked, and not answered.
 * I3. A tool that is allowed gets the input that was asked about, nothing else.
 */
import type { Json } from "../../../machines/model.ts";
import { type Fields, fieldsAt, textAt } from "../../base/json.ts";
import type { AgentRequest, ToolAnswer } from "../agent.ts";
import { calledTool } from "./tools.ts";

type Write = (text: string) => void;

export class Permissions {
  readonly #request: Pick<AgentRequest, "ask" | "cwd">;
  readonly #open = new Map<string, AbortController>();
  constructor(request: Pick<AgentRequest, "ask" | "cwd">) {
    this.#request = request;
  }

  /** A `control_request` or `control_cancel_request`. `write`: to the program's input. */
  take(message: Fields, write: Write): void {
    const id = textAt(message, "request_id") ?? "";
    if (textAt(message, "type") === "control_cancel_request") {
      this.#open.get(id)?.abort();
      this.#open.delete(id);
      return;
    }
    const asked = fieldsAt(message, "request");
    const subtype = textAt(asked, "subtype") ?? "";
    if (subtype === "can_use_tool") return void this.#decide(id, asked, write);
    respond(write, { subtype: "error", request_id: id, error: `"${subtype}" is not supported` });
  }

  /** `head`: how a line began that cannot be read. */
  refuse(head: string, write: Write): void {
    const id = /^\{"type":"control_request","request_id":"([^"]*)"/.exec(head)?.[1];
    if (id !== undefined)
      respond(write, { subtype: "error", request_id: id, error: "it is too large to be asked about" });
  }

  async #decide(id: string, asked: Fields, write: Write): Promise<void> {
    const name = textAt(asked, "tool_name") ?? "";
    const input = fieldsAt(asked, "input");
    const controller = new AbortController();
    this.#open.set(id, controller);
    const { kind, title, locations } = calledTool(name, input, this.#request.cwd);
    const question = { name, kind, title, input: { ...input }, ...(locations === undefined ? {} : { locations }) };
    const answer = await this.#request.ask(question, controller.signal);
    if (!this.#open.delete(id)) return;
    respond(write, { subtype: "success", request_id: id, response: behaviourOf(answer, input) });
  }
}

const respond = (write: Write, response: Json): void =>
  write(`${JSON.stringify({ type: "control_response", response })}\n`);

function behaviourOf(answer: ToolAnswer, input: Fields): Json {
  if (answer.allowed) return { behavior: "allow", updatedInput: { ...input } };
  return { behavior: "deny", message: answer.message, interrupt: answer.abort };
}
