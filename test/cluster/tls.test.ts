/** TLS on every way: what ends it stands before the engine and before the worker, and both ask who is there. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer, type Server } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
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
/** Ends TLS, and hands what is inside on to a port of this machine. Answers its own port. */
async function ends(
  { key, cert }: ReturnType<typeof certified>,
  { to, speaks }: { to: number; speaks: string },
): Promise<number> {
  const server: Server = createServer({ key, cert, ALPNProtocols: [speaks] }, (from) => {
    const on = connect(to, LOOPBACK);
    for (const socket of [from, on]) socket.on("error", () => undefined);
    from.on("close", () => on.destroy());
    on.on("close", () => from.destroy());
    from.pipe(on).pipe(from);
    closing.push(() => void from.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  closing.push(() => void server.close());
  return (server.address() as { port: number }).port;
}

test.skipIf(!hasOpenssl)(
  "a run over TLS alone; who is not trusted is not spoken to",
  async () => {
    const given = certified();
    const [ingress = 0, admin = 0, node = 0, worker = 0] = await freePorts(4);
    const engine = await engineUp(
      { ...process.env, SSL_CERT_FILE: given.ca },
      { ports: { ingress, admin, node }, folder },
    );
    closing.push(() => engine.stop());
    const url = `https://localhost:${await ends(given, { to: ingress, speaks: "http/1.1" })}`;
    const adminUrl = `https://localhost:${await ends(given, { to: admin, speaks: "http/1.1" })}`;
    const uri = `https://localhost:${await ends(given, { to: worker, speaks: "h2" })}`;

    const knowing = { NODE_EXTRA_CA_CERTS: given.ca };
    const named = { ...knowing, TROUPE_ENGINE_FOLDER: process.env["TROUPE_ENGINE_FOLDER"] ?? "", WORKER_NAME: "one" };
    const listening = ["--listen", `${LOOPBACK}:${worker}`, "--uri", uri];
    const works = house.troupe(["worker", "--engine", url, "--admin", adminUrl, ...listening], named);
    while (!works.stderr.includes("works for")) await new Promise((resolve) => setTimeout(resolve, 10));

    const run = ["run", "where", "--trust", "--engine", url];
    const done = house.troupe(run, knowing);
    expect((await done.ended).code).toBe(0);
    expect(done.lines.join("\n")).toContain("worked by one");
    const strange = house.troupe(run);
    expect([(await strange.ended).code, strange.stderr.includes("SYSTEM.ENGINE.UNREACHABLE")]).toEqual([4, true]);
  },
  90_000,
);
