/** A server that answers as GitHub does, and what it was asked. */
import { batch } from "../../../actors/operations/github/batch.ts";
import { SINGLE } from "../../../actors/operations/github/github.ts";
import type { Operation } from "../../../actors/operations/operation.ts";
import { type Answered, type Asked, httpServer } from "../../support/http-server.ts";
import { callWith } from "./support.ts";

export type Inputs = Parameters<typeof callWith>[0];
export const json = (data: unknown, status = 200): Answered => ({ status, body: JSON.stringify(data) });

/** A server with these answers; what it was asked stands in `asked`. */
export async function github(answer: (asked: Asked) => Answered, cwd = "/") {
  const { url, asked } = await httpServer(answer);
  const environment = { PATH: process.env["PATH"], GITHUB_API_URL: `${url}/`, GITHUB_TOKEN: "ghp_canary" };
  return {
    asked,
    run: (name: string, inputs: Inputs) => {
      const operation: Operation | undefined = name === "batch" ? batch : SINGLE[`github.${name}`];
      if (operation === undefined) throw new Error(name);
      return operation(callWith(inputs, { environment, cwd }));
    },
  };
}
