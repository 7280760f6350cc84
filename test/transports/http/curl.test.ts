/** A run followed with the real curl: dropped in its midst, taken up again with the last id, without a gap or a repeat. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { Api } from "../../support/api.ts";
import { openHouse, storedRows } from "../../support/house.ts";
import { startServer } from "../../support/server.ts";
import { Started } from "../../support/started.ts";

/** What one curl has printed: whole events only, since the last one may have been cut. */
class Curl {
  readonly started: Started;
  #met: { event: string; resolve: () => void }[] = [];
  constructor(url: string, lastId = "") {
    const header = lastId === "" ? [] : ["-H", `Last-Event-ID: ${lastId}`];
    this.started = new Started(["curl", "-sN", ...header, url], { cwd: "/", env: { PATH: process.env["PATH"] } });
    this.started.onLine = (line) => {
      for (const { event, resolve } of this.#met) if (line === `event: ${event}`) resolve();
    };
  }
  hears(event: string): Promise<void> {
    if (this.started.lines.includes(`event: ${event}`)) return Promise.resolve();
    return new Promise((resolve) => this.#met.push({ event, resolve }));
  }
  get ids(): number[] {
    const ids: number[] = [];
    let id: number | null = null;
    for (const line of this.started.lines) {
      if (line.startsWith("id: ")) id = Number(line.slice(4));
      if (line !== "") continue;
      if (id !== null) ids.push(id);
      id = null;
    }
    return ids;
  }
  async drop(): Promise<string> {
    this.started.kill();
    await this.started.ended;
    return String(this.ids.at(-1) ?? "");
  }
}

test.skipIf(spawnSync("curl", ["--version"]).status !== 0)(
  "curl follows a run, drops, and resumes without a gap (skipped where there is no curl)",
  async () => {
    const house = openHouse(["acceptance/talk.yaml"]);
    try {
      const server = await startServer(house, [], { TROUPE_TRUST: "1" });
      const api = new Api(server);
      const { run, session } = await api.start("talk");
      const url = `${api.at}/api/runs/${run}/events`;
      const first = new Curl(url);
      expect(first.started.child.pid).not.toBe(server.pid);
      await first.hears("input.required");
      const second = new Curl(url, await first.drop());
      expect((await api.post(`/api/runs/${run}/answer`, { text: "stream:1500@1000" })).status).toBe(202);
      await second.hears("message.assistant");
      const third = new Curl(url, await second.drop());
      await third.hears("input.required");
      expect((await api.post(`/api/runs/${run}/answer`, { text: "" })).status).toBe(202);
      expect(await third.started.ended).toEqual({ code: 0, signal: null });
      const stored = storedRows(house.store, session).filter((row) => row.run === run);
      expect([...first.ids, ...second.ids, ...third.ids]).toEqual(stored.map(({ seq }) => seq));
      // A reader that has all of it learns that nothing more comes.
      const last = spawnSync("curl", ["-s", "-o", "-", "-w", "%{http_code}", `${url}?after=${third.ids.at(-1)}`]);
      expect(last.stdout.toString()).toBe("204");
    } finally {
      await house.leave();
    }
  },
);
