/**
 * What a host writes, as the SDK takes it: one message a line. What is none is answered, where the SDK would drop it
 * without a word and leave the host waiting: a batch (the revision 2025-03-26 has them), a line that is too long, no JSON,
 * an object that is no message, a request with a field "__proto__". The answer has the id of its request, where that is one.
 */
import { type Readable, Transform } from "node:stream";
import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse } from "@modelcontextprotocol/server";
import { NO_PROTO, namesProto } from "../../actors/acp-client/proto.ts";
import { Framer, type Message, type Refusal, refusal } from "../acp/framer.ts";
import { idOfLongLine } from "./long-line.ts";

export type Refused = Omit<Refusal, "id"> & { id: string | number | null };

/** The messages of `input`; it ends with it. `refuse` is given the answer to what is no message. */
export function framedInput(input: Readable, refuse: (refusal: Refused) => void): Readable {
  const framed = new Transform({
    transform: (bytes: Buffer, _encoding, done) => {
      framer.take(bytes);
      done();
    },
    flush: (done) => {
      framer.end();
      done();
    },
  });
  const take = (message: Message, text: string): void => {
    if (isJSONRPCRequest(message) && namesProto(text))
      refuse({ ...refusal(-32602, `Invalid params: ${NO_PROTO}`), id: message.id });
    else if (isMessage(message)) framed.push(`${JSON.stringify(message)}\n`);
    // An error is not answered with an error: two that do so never end.
    else if (!isAnswer(message)) refuse(refusalOf(message));
  };
  const framer = new Framer({
    message: take,
    refuse: (refused, ends) => {
      const id = ends === undefined ? null : idOfLongLine(ends.head.toString(), ends.tail.toString());
      refuse({ ...refused, id });
    },
  });
  return input.pipe(framed);
}

const isMessage = (message: Message): boolean =>
  isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message);
const isAnswer = (message: Message): boolean =>
  !Object.hasOwn(message, "method") && (Object.hasOwn(message, "result") || Object.hasOwn(message, "error"));
const isId = (id: unknown): id is string | number => typeof id === "string" || Number.isSafeInteger(id);

function refusalOf(message: Message): Refused {
  const { id } = message;
  return { ...refusal(-32600, `Invalid request: ${faultOf(message)}`), id: isId(id) ? id : null };
}
function faultOf(message: Message): string {
  const { jsonrpc, id, method, params = {} } = message;
  if (jsonrpc !== "2.0") return '"jsonrpc" must be "2.0"';
  if (typeof method !== "string") return method === undefined ? '"method" is missing' : '"method" must be a string';
  if (Object.hasOwn(message, "id") && !isId(id)) return '"id" must be a string or a whole number';
  if (typeof params !== "object" || params === null || Array.isArray(params)) return '"params" must be an object';
  const others = Object.keys(message).filter((name) => !FIELDS.has(name));
  return others.length === 0 ? '"_meta" of "params" is not as the protocol has it' : `there is no field "${others[0]}"`;
}
const FIELDS: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"]);
