/** Causes and remedies of what can be wrong with `troupe serve`, and with what it is asked. */
import type { AdviceOf } from "./kinds.ts";

export const SERVE: AdviceOf<`USER.SERVE.${string}`> = {
  "USER.SERVE.LISTEN": [
    "The address to listen at has another form, or is none of this machine's.",
    "Give host:port, as in 127.0.0.1:8900.",
  ],
  "USER.SERVE.PORT_IN_USE": ["Another program listens there.", "End it, or take another port with --listen."],
  "USER.SERVE.TOKEN_NEEDED": [
    "Beyond this machine a server needs tokens.",
    "Write a file of tokens, and say --token-file.",
  ],
  "USER.SERVE.TOKEN_FILE": [
    "The file of tokens cannot be used.",
    "Let nobody else read it, and keep to the form of docs/serve.md.",
  ],
  "USER.SERVE.TLS_NEEDED": [
    "Beyond this machine a server needs TLS.",
    "Say --tls-cert and --tls-key, or put a proxy before it and say --insecure-no-tls.",
  ],
  "USER.SERVE.TLS": ["Certificate or key cannot be used.", "Give both in PEM, of one pair."],
  "USER.SERVE.ORIGIN": [
    "An origin of a web page is no origin.",
    "Write scheme, host and port alone, as https://app.example.",
  ],
  "USER.SERVE.HOST": [
    "A name of the server is none that a request could bring.",
    "Write the name, or name:port, without scheme and path.",
  ],
  "USER.SERVE.LIMIT": ["A limit is unknown, or has no such value.", "See the limits in docs/serve.md."],
  "USER.SERVE.NOT_YOURS": [
    "The numbers of a server name the workflows of everybody.",
    "Ask with a token without a subject: that of the user who runs the server.",
  ],
  "USER.SERVE.CLOSING": ["The server was asked to end.", "Wait until it has started again, or ask another one."],
  "USER.SERVE.SCHEDULES": [
    "Schedules are kept in the store of one machine, and this process has none, or its sessions live on an engine.",
    "Leave `--ephemeral` and `--engine` out, or `--schedules`.",
  ],
  "USER.SERVE.PERMISSIVE": [
    "The permissive mode is not for a server that others reach.",
    "Leave it out, or listen on this machine alone.",
  ],
  "USER.SERVE.INSPECT": [
    "Inspection is not for a server that others reach.",
    "Leave it out, or listen on this machine alone.",
  ],
  "USER.SERVE.NOT_INSPECTED": ["The server does not let its machines be looked at.", "Start it with --inspect."],
  "USER.SERVE.HOST_REFUSED": [
    "The request names a host that the server does not go by.",
    "Use its own name, or say --allow-host.",
  ],
  "USER.SERVE.ORIGIN_REFUSED": ["A web page asked that is not allowed to.", "Say --allow-origin if it is yours."],
  "USER.SERVE.UNAUTHORIZED": [
    "No token, or one that the server does not know.",
    "Send Authorization: Bearer with a token of its file.",
  ],
  "USER.SERVE.NO_SUCH_PATH": ["The server has nothing at this path.", "GET /api/openapi.json tells what it has."],
  "USER.SERVE.NO_SUCH_CONNECTION": [
    "A connection of ACP over HTTP has ended, or belongs to another token.",
    "Post initialize without Acp-Connection-Id, then load the session.",
  ],
  "USER.SERVE.METHOD": ["The path takes another method.", "See the header Allow of the answer."],
  "USER.SERVE.MEDIA_TYPE": [
    "The body is of a type that is not taken, in other letters than UTF-8, or packed.",
    "Send application/json in UTF-8, without Content-Encoding.",
  ],
  "USER.SERVE.INVALID_REQUEST": ["The request has no form that the path takes.", "GET /api/openapi.json has the form."],
  "USER.SERVE.TOO_MANY": [
    "There are too many requests or connections at once.",
    "Wait until some have ended, or raise the limit that the message names.",
  ],
  "USER.SERVE.TOO_SLOW": [
    "The head or the body of a request did not come in time.",
    "Send it again, or raise --limit handshakeMs or --limit bodyMs.",
  ],
  "USER.SERVE.UPGRADE_NEEDED": ["The path is a WebSocket's.", "Ask with Upgrade: websocket."],
};
