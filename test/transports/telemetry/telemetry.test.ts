/** Spans of the built program, sent over OTLP to a receiver of HTTP. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { wantedSignals } from "../../../transports/telemetry/wanted.ts";
import { type House, openHouse } from "../../support/house.ts";
import { otlpReceiver, type SpanReceived } from "../../support/otlp.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/two-voices.yaml", "acceptance/gate.yaml"]);
});
afterEach(() => house.leave());

/** From the first of its trace on. */
const wayTo = (all: readonly SpanReceived[], { parent, name }: SpanReceived): string[] => {
  const above = all.find(({ id }) => id === parent);
  return above === undefined ? [name] : [...wayTo(all, above), name];
};

test("the spans of a workflow of two agents arrive, each in the one that it is part of, without their words", async () => {
  const receiver = await otlpReceiver();
  const run = house.troupe(["run", "two-voices", "--trust"], { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url });
  expect({ ...(await run.ended), stderr: run.stderr }).toEqual({ code: 0, signal: null, stderr: "" });
  expect(receiver.spans.map((span) => wayTo(receiver.spans, span).join(" > "))).toEqual([
    "session > turn > run two-voices > step writer > attempt 1 > tool execute",
    "session > turn > run two-voices > step writer > attempt 1",
    "session > turn > run two-voices > step writer",
    "session > turn > run two-voices > step reader > attempt 1",
    "session > turn > run two-voices > step reader",
    "session > turn > run two-voices > step trace > attempt 1",
    "session > turn > run two-voices > step trace",
    "session > turn > run two-voices",
    "session > turn",
    "session",
  ]);
  const attempt = receiver.spans.find(({ attributes }) => attributes["troupe.step"] === "trace");
  expect(run.lines.join("\n")).toContain(`00-${attempt?.trace}-${attempt?.id}-01`);
  expect(receiver.spans.every(({ startMs, endMs, status }) => endMs >= startMs && status === 0)).toBe(true);
  expect([...new Set(receiver.paths)].sort()).toEqual(["/v1/metrics", "/v1/traces"]);
  const all = Buffer.concat(receiver.bytes).toString("latin1");
  expect(["words-of-a-prompt", "words-of-an-agent"].filter((words) => all.includes(words))).toEqual([]);
  expect(all).toContain("troupe.run.duration");
});

test("a run that another process ends has one span, in the trace of the first; a failure is an error", async () => {
  const receiver = await otlpReceiver();
  const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/v1/traces` };
  const asking = { type: "ask", questions: [{ name: "version", prompt: "Which?" }], on_success: "fail" };
  const states = {
    initial: "ask",
    ask: asking,
    fail: { type: "command", command: "exit 3", on_success: "end" },
    end: { type: "terminal" },
  };
  writeFileSync(join(house.cwd, ".troupe", "workflows", "asks.yaml"), JSON.stringify({ name: "asks", states }));
  const first = house.troupe(["run", "asks", "--trust", "--format", "json"], traces);
  await first.ended;
  expect(receiver.spans.map(({ name }) => name)).toEqual(["turn", "session"]);
  const { run } = JSON.parse(first.lines.findLast((line) => line.includes('"run.started"')) ?? "{}") as { run: string };
  await house.troupe(["resume", run, "--answer", "yes"], traces).ended;
  const runs = receiver.spans.filter(({ name }) => name === "run asks");
  expect(runs).toHaveLength(1);
  expect(runs[0]).toMatchObject({ status: 2, attributes: { "troupe.run": run, "error.type": expect.any(String) } });
  expect(receiver.spans.find(({ id }) => id === runs[0]?.parent)?.name).toBe("turn");
  expect(new Set(receiver.spans.map(({ trace }) => trace)).size).toBe(1);
  expect(receiver.spans.find(({ name }) => name === "question")?.endMs).toBeGreaterThan(0);
});

test("who started the process has it in its trace; a collector that is away is said once and fails nothing", async () => {
  const receiver = await otlpReceiver();
  const outer = { trace: "a".repeat(32), id: "b".repeat(16) };
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TRACEPARENT: `00-${outer.trace}-${outer.id}-01` };
  await house.troupe(["run", "two-voices", "--trust"], env).ended;
  expect(receiver.spans.find(({ name }) => name === "session")).toMatchObject({ trace: outer.trace, parent: outer.id });
  const away = house.troupe(["run", "two-voices", "--trust"], { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
  expect(await away.ended).toEqual({ code: 0, signal: null });
  expect(away.stderr).toMatch(/^troupe: nothing was sent to OpenTelemetry's collector: .*ECONNREFUSED.*\n$/);
});

test("a variable that is not understood is not said to keep anything from the collector, nor hides that it is away", async () => {
  const receiver = await otlpReceiver();
  const run = async (url: string): Promise<string> => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_TIMEOUT: "soon" };
    const started = house.troupe(["run", "two-voices", "--trust"], env);
    await started.ended;
    return started.stderr;
  };
  const minds = /^troupe: OpenTelemetry minds something: .*OTEL_EXPORTER_OTLP_TIMEOUT.*\n/;
  expect(await run(receiver.url)).toMatch(new RegExp(`${minds.source}$`));
  expect(receiver.spans.length).toBeGreaterThan(0);
  const lost = /troupe: nothing was sent to OpenTelemetry's collector: .*ECONNREFUSED.*\n$/;
  expect(await run("http://127.0.0.1:9")).toMatch(new RegExp(minds.source + lost.source));
});

test.each<[{ [name: string]: string }, ReturnType<typeof wantedSignals>]>([
  [{}, null],
  [{ OTEL_SERVICE_NAME: "x", OTEL_TRACES_EXPORTER: "none" }, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c" }, { traces: true, metrics: true }],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_METRICS_EXPORTER: "none" },
    { traces: true, metrics: false },
  ],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://c" }, { traces: false, metrics: true }],
  [{ OTEL_TRACES_EXPORTER: "otlp" }, { traces: true, metrics: false }],
  [
    { OTEL_TRACES_EXPORTER: "otlp,console", OTEL_METRICS_EXPORTER: "prometheus, otlp" },
    { traces: true, metrics: true },
  ],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_TRACES_EXPORTER: "console", OTEL_METRICS_EXPORTER: "none" }, null],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_SDK_DISABLED: "true" }, null],
])("%j asks for %j (I1)", (environment, wanted) => {
  expect(wantedSignals(environment)).toEqual(wanted);
});
