/**
 * The process between an agent's program and Troupe: bytes of its standard streams to the socket and back.
 *
 * I1. It says the token first, and ends when either side does. Nothing but what the socket says reaches stdout.
 */
import { connect } from "node:net";
import { SOCKET_VARIABLE, TOKEN_VARIABLE } from "./words.ts";

const { [SOCKET_VARIABLE]: path, [TOKEN_VARIABLE]: token } = process.env;
if (path === undefined || token === undefined) {
  process.stderr.write("this program is started by Troupe\n");
  process.exit(1);
}
const socket = connect(path, () => {
  socket.write(`${token}\n`);
  process.stdin.pipe(socket);
  socket.pipe(process.stdout);
});
socket.on("error", (error) => {
  process.stderr.write(`Troupe cannot be reached: ${error.message}\n`);
  process.exit(1);
});
socket.on("close", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
