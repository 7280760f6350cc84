/** TLS on every way: what ends it stands before the engine and before the worker, and both ask who is there. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engineUp } from "../../actors/facade/engine/engines.ts";
import { freePorts } from "../support/cluster.ts";
import { type House, openHouse } from "../support/house.ts";

const LOOPBACK = "127.0.0.1";
const hasOpenssl = spawnSync("openssl", ["version"], { stdio: "ignore" }).status === 0;

let house: House;
let folder: string;
let closing: (() => unknown)[];
beforeEach(() => {
  house = openHouse(["cluster/where.yaml"]);
  folder = mkdtempSync(join(tmpdir(), "troupe-tls-"));
  closing = [];
});
afterEach(async () => {
  await house.leave();
  for (const close of closing.reverse()) await close();
  rmSync(folder, { recursive: true, force: true });
});

const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
/** An authority that nobody knows, and a certificate of it for localhost. */
function certified(): { ca: string; key: Buffer; cert: Buffer } {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const isAuthority = ["-subj", "/CN=authority", "-addext", "basicConstraints=critical,CA:TRUE"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", ...isAuthority);
  openssl("req", ...key, "-keyout", "own.key", "-out", "own.csr", "-subj", "/CN=localhost");
  writeFileSync(join(folder, "names"), "subjectAltName=DNS:localhost\n");
  const by = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "names"];
  openssl("x509", "-req", "-in", "own.csr", ...by, "-out", "own.pem", "-days", "2");
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  return { ca: join(folder, "ca.pem"), key: read("own.key"), cert: read("own.pem") };
}
type Given = ReturnType<typeof certified>;
/** Ends TLS, and hands what is inside on to a port of this machine: its own port, and how many it has spoken to. */
async function ends(
  { key, cert }: Given,
  { to, speaks }: { to: number; speaks: string },
): Promise<{ url: string; greeted: () => number }> {
  let greeted = 0;
  const server: Server = createServer({ key, cert, ALPNProtocols: [speaks] }, (from) => {
    greeted += 1;
    const on = connect(to, LOOPBACK);
    for (const socket of [from, on]) socket.on("error", () => undefined);
    from.on("close", () => on.destroy());
    on.on("close", () => from.destroy());
    from.pipe(on).pipe(from);
    closing.push(() => void from.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  closing.push(() => void server.close());
  return { url: `https://localhost:${(server.address() as { port: number }).port}`, greeted: () => greeted };
}

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
};
/** An engine that trusts an authority, or does not, behind what ends TLS; and what its worker is started with. */
async function engineBehind(given: Given, trusted: { SSL_CERT_FILE?: string }) {
  const [ingress = 0, admin = 0, node = 0, worker = 0, live = 0] = await freePorts(5);
  const engine = await engineUp({ ...process.env, ...trusted }, { ports: { ingress, admin, node }, folder });
  closing.push(() => engine.stop());
  const { url } = await ends(given, { to: ingress, speaks: "http/1.1" });
  const { url: adminUrl } = await ends(given, { to: admin, speaks: "http/1.1" });
  const words = await ends(given, { to: live, speaks: "http/1.1" });
  const { url: uri } = await ends(given, { to: worker, speaks: "h2" });
  const working = ["--listen", `${LOOPBACK}:${worker}`, "--uri", uri];
  const said = ["--live", `${LOOPBACK}:${live}`, "--live-uri", words.url];
  return { url, words, argv: ["worker", "--engine", url, "--admin", adminUrl, ...working, ...said] };
}

describe.skipIf(!hasOpenssl)("over TLS alone", () => {
  let given: Given;
  let knowing: { [name: string]: string };
  let named: { [name: string]: string };
  beforeEach(() => {
    given = certified();
    knowing = { NODE_EXTRA_CA_CERTS: given.ca };
    named = { ...knowing, TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "", WORKER_NAME: "one" };
  });

  test("a run is worked for and its words are heard as they are said; who is not trusted is not spoken to", async () => {
    const { url, words, argv } = await engineBehind(given, { SSL_CERT_FILE: given.ca });
    const works = house.troupe(argv, named);
    await until(() => works.stderr.includes("works for"));

    writeFileSync(join(house.cwd, "hold"), "");
    const run = ["run", "where", "--trust", "--engine", url];
    const done = house.troupe(run, knowing);
    await until(() => words.greeted() > 0);
    rmSync(join(house.cwd, "hold"));
    expect((await done.ended).code).toBe(0);
    expect(done.lines.join("\n")).toContain("worked by one");
    const strange = house.troupe(run);
    expect([(await strange.ended).code, strange.stderr.includes("SYSTEM.ENGINE.UNREACHABLE")]).toEqual([4, true]);
  }, 90_000);

  test("an engine does not call a worker that it does not trust, and the worker says so", async () => {
    const { argv } = await engineBehind(given, {});
    const works = house.troupe(argv, named);
    expect((await works.ended).code).toBe(4);
    expect(works.stderr).toContain("did not take this worker");
    expect(works.stderr).toContain("SYSTEM.ENGINE.UNREACHABLE");
  }, 90_000);
});
