/** What the port of a process that is inspected is defended against, how each defence is taken out, and the attack. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { WebSocket } from "ws";
import { Api } from "../../support/api.ts";
import type { House } from "../../support/house.ts";
import { addressOf, comesIn, Receiver } from "../../support/receiver.ts";
import type { Server } from "../../support/server.ts";
import { SseReader } from "../../support/sse.ts";
import type { Defence } from "./defence.ts";

const PORT = "transports/inspect/port.ts";
const ADMISSION = "transports/serve/admission.ts";
const ENDPOINT = "transports/http/endpoints/inspection.ts";
const [OWN_TOKEN, SUBJECT_TOKEN] = ["o".repeat(32), "m".repeat(32)];
const SECRET = "c0rrect-horse-battery-staple";
const inspected = (): string[] => ["--inspect"];
type Place = { server: Server; house: House };
const isIn = async (address: string, headers: { [name: string]: string } = {}): Promise<boolean> =>
  (await comesIn(address, { headers })) === "open";

export const INSPECT_DEFENCES: readonly Defence[] = [
  {
    threat: "T33",
    attack: "another user of this machine connects without the address that its user was given",
    without: [{ file: PORT, from: "isKnown ? null :", to: "true ? null :" }],
    args: inspected,
    succeeds: (place) => isIn(new URL("/", addressOf(place)).href),
  },
  {
    threat: "T33",
    attack: "a page of another origin connects with that address",
    without: [{ file: ADMISSION, from: "given.some((origin) => !origins.includes(origin))", to: "false" }],
    args: () => ["--inspect-origin", "https://inspector.example"],
    succeeds: (place) => isIn(addressOf(place), { origin: "https://evil.example" }),
  },
  {
    threat: "T33",
    attack: "a page whose name was made to point here connects with that address",
    without: [{ file: ADMISSION, from: "!isOurName(request, naming())", to: "false" }],
    args: inspected,
    succeeds: (place) => isIn(addressOf(place), { host: `evil.example:${new URL(addressOf(place)).port}` }),
  },
  {
    threat: "T33",
    attack: "a subject's token looks on over the API",
    without: [{ file: ENDPOINT, from: "observed === null || subject !== null", to: "observed === null" }],
    args: ({ root }) => {
      const file = join(root, "tokens");
      writeFileSync(file, `${OWN_TOKEN}\nmallory ${SUBJECT_TOKEN}\n`, { mode: 0o600 });
      return ["--token-file", file, "--inspect"];
    },
    succeeds: async ({ server }) => {
      const reader = await SseReader.open(`http://127.0.0.1:${server.port}/api/inspection`, {
        authorization: `Bearer ${SUBJECT_TOKEN}`,
      });
      reader.ended.catch(() => undefined);
      reader.drop();
      return reader.status === 200;
    },
  },
  {
    threat: "T33",
    attack: "a receiver learns a secret",
    without: [
      {
        file: "actors/host/inspector.ts",
        from: "withoutMarks(this.#host.mask.hide(value()))",
        to: "JSON.stringify(value())",
      },
    ],
    args: ({ env }) => {
      env["DEPLOY_TOKEN"] = SECRET;
      return inspected();
    },
    succeeds: async ({ server, house }: Place) => {
      const receiver = new Receiver(addressOf({ server, house }));
      const { run } = await new Api(server).start("say", { inputs: { text: `it is ${SECRET}` } });
      await receiver.hears(
        (one) => one.type === "@xstate.snapshot" && one.sessionId === `run/${run}` && one.snapshot?.status !== "active",
      );
      return JSON.stringify(receiver.told).includes(SECRET);
    },
  },
  {
    threat: "T33",
    attack: "a receiver sends much, which is kept for it",
    without: [{ file: PORT, from: "maxPayload: MOST_HEARD_BYTES", to: "maxPayload: 0" }],
    args: inspected,
    succeeds: (place) =>
      new Promise((resolve) => {
        const ws = new WebSocket(addressOf(place));
        ws.on("open", () => {
          ws.send("x".repeat(1_000_000));
          ws.ping();
        });
        ws.on("pong", () => {
          ws.terminate();
          resolve(true);
        });
        ws.on("error", () => undefined);
        ws.on("close", () => resolve(false));
      }),
  },
];
