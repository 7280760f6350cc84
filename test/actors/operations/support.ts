import type { OperationCall } from "../../../actors/operations/operation.ts";
import { ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor } from "../../../actors/process/marker.ts";

let calls = 0;

export const callWith = (inputs: OperationCall["inputs"], over: Partial<OperationCall> = {}): OperationCall => ({
  inputs,
  cwd: "/",
  environment: { PATH: process.env["PATH"] },
  marker: markerFor(ownIdentity(), `operation/${process.pid}/${++calls}`),
  signal: new AbortController().signal,
  where: "inputs",
  ...over,
});
