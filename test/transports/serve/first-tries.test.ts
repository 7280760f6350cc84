/** Covers `listener.ts` and `router.ts`: what fails once is tried again, and ends no server. */
import { expect, onTestFinished, test } from "vitest";
import type { Troupe } from "../../../actors/troupe.ts";
import { serveConfig } from "../../../transports/serve/config.ts";
import { listen } from "../../../transports/serve/listener.ts";

test("a server whose first look at the store failed, or a route of it, serves who comes next", async () => {
  const told: string[] = [];
  let tries = 0;
  const serving = await listen({
    cwd: "/",
    config: serveConfig({ listen: "127.0.0.1:0", allowOrigin: [], allowHost: [], limit: {} }),
    version: "0",
    log: (message) => void told.push(message),
    open: async () => {
      tries++;
      if (tries === 1) throw new Error("too many open files");
      return { close: async () => undefined } as unknown as Troupe;
    },
    mount: (router, { open }) => {
      router.mount("/store", async (_, response) => {
        await open(null);
        response.end("open");
      });
      return async () => undefined;
    },
  });
  onTestFinished(() => serving.close());
  const asked = async (): Promise<[number, string]> => {
    const answer = await fetch(new URL("/store", serving.page));
    return [answer.status, await answer.text()];
  };
  const [status, problem] = await asked();
  expect([status, JSON.parse(problem)]).toMatchObject([500, { code: "SYSTEM.INTERNAL.UNMAPPED" }]);
  expect(told).toContain("could not answer a request: too many open files");
  expect(await asked()).toEqual([200, "open"]);
  expect(await asked()).toEqual([200, "open"]);
  expect(tries).toBe(2);
});
