/** What stands around every handler of requests that belong to sessions. */
import type { EditorConnection } from "./connection.ts";
import { answering } from "./errors.ts";

/** A handler whose errors are the client's. A client that has to authenticate first gets that error. */
export const within =
  <Request, Answer>(connection: EditorConnection, handle: (request: Request) => Promise<Answer>) =>
  (request: Request): Promise<Answer> =>
    connection.answers(
      answering(connection.offer, async () => {
        connection.auth.demand();
        return await handle(request);
      }),
    );

/** For a handler that takes the parameters alone. */
export const withParams = <Params, Answer>(
  connection: EditorConnection,
  handle: (connection: EditorConnection, params: Params) => Promise<Answer>,
): ((request: { params: Params }) => Promise<Answer>) =>
  within(connection, ({ params }: { params: Params }) => handle(connection, params));
