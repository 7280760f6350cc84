/** A receiver of OTLP over HTTP, as a collector is one: it takes what is sent, and reads the spans in it. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export type SpanReceived = {
  trace: string;
  id: string;
  parent: string;
  name: string;
  startMs: number;
  endMs: number;
  attributes: { [name: string]: string | number | boolean };
  /** 2 is an error. */
  status: number;
  message: string;
};
export type Receiver = {
  url: string;
  spans: SpanReceived[];
  /** The paths that were posted to. */
  paths: string[];
  /** All that came, to be searched for what must not be in it. */
  bytes: Buffer[];
};

export async function otlpReceiver(): Promise<Receiver> {
  const received: Omit<Receiver, "url"> = { spans: [], paths: [], bytes: [] };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    received.paths.push(request.url ?? "");
    received.bytes.push(body);
    if (request.url === "/v1/traces") received.spans.push(...spansIn(body));
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ...received };
}

/** Fields of a message of protobuf, by their numbers; `opentelemetry/proto/trace/v1/trace.proto` says what they are. */
type Field = { number: number; bytes: Buffer; value: bigint };
function fieldsIn(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < message.length) {
    const tag = Number(varint());
    const field: Field = { number: tag >> 3, bytes: Buffer.alloc(0), value: 0n };
    const wire = tag & 7;
    if (wire === 0) field.value = varint();
    else {
      const length = wire === 1 ? 8 : wire === 5 ? 4 : Number(varint());
      field.bytes = message.subarray(at, at + length);
      at += length;
      if (wire === 1) field.value = field.bytes.readBigUInt64LE();
    }
    fields.push(field);
  }
  return fields;
}
const below = (message: Buffer, number: number): Buffer[] =>
  fieldsIn(message).flatMap((field) => (field.number === number ? [field.bytes] : []));

const spansIn = (request: Buffer): SpanReceived[] =>
  below(request, 1)
    .flatMap((resource) => below(resource, 2))
    .flatMap((scope) => below(scope, 2))
    .map(spanIn);

function spanIn(message: Buffer): SpanReceived {
  const fields = fieldsIn(message);
  const one = (number: number): Field =>
    fields.find((field) => field.number === number) ?? { number, bytes: Buffer.alloc(0), value: 0n };
  const status = fieldsIn(one(15).bytes);
  return {
    trace: one(1).bytes.toString("hex"),
    id: one(2).bytes.toString("hex"),
    parent: one(4).bytes.toString("hex"),
    name: one(5).bytes.toString(),
    startMs: Number(one(7).value / 1_000_000n),
    endMs: Number(one(8).value / 1_000_000n),
    attributes: Object.fromEntries(fields.filter(({ number }) => number === 9).map(({ bytes }) => attributeIn(bytes))),
    status: Number(status.find(({ number }) => number === 3)?.value ?? 0n),
    message: status.find(({ number }) => number === 2)?.bytes.toString() ?? "",
  };
}
function attributeIn(message: Buffer): [string, string | number | boolean] {
  const [key] = below(message, 1);
  const [value] = fieldsIn(below(message, 2)[0] ?? Buffer.alloc(0));
  const { number = 0, bytes = Buffer.alloc(0), value: given = 0n } = value ?? {};
  const read =
    number === 1 ? bytes.toString() : number === 4 ? bytes.readDoubleLE() : number === 2 ? given === 1n : Number(given);
  return [key?.toString() ?? "", read];
}
