/** What stands around every handler of requests that belong to sessions. */
import type { Connection } from "./connection.ts";
import { answering } from "./errors.ts";

/** A handler whose errors are the client's; whoever has to authenticate first is told so. */
export const within =
  <Request, Answer>(connection: Connection, handle: (request: Request) => Promise<Answer>) =>
  (request: Request): Promise<Answer> =>
    answering(connection.offer, async () => {
      connection.auth.demand();
      return await handle(request);
    });

/** For a handler that takes the parameters alone. */
export const withParams = <Params, Answer>(
  connection: Connection,
  handle: (connection: Connection, params: Params) => Promise<Answer>,
): ((request: { params: Params }) => Promise<Answer>) =>
  within(connection, ({ params }: { params: Params }) => handle(connection, params));
