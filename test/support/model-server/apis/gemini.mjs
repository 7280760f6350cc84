// Gemini: its requests, its streams, its whole bodies and its errors.
import { id, outTokens, pieces, textOf, tokens } from "../words.mjs";

/** A request in the common shape. */
export const read = (b, url) => ({
  model: /models\/([^:]+):/.exec(url)?.[1],
  stream: /:streamGenerateContent/.test(url),
  json: b.generationConfig?.responseMimeType === "application/json",
  jsonSchema: b.generationConfig?.responseJsonSchema ?? b.generationConfig?.responseSchema,
  tools: (b.tools ?? [])
    .flatMap((t) => t.functionDeclarations ?? [])
    .map((t) => ({ name: t.name, schema: t.parametersJsonSchema ?? t.parameters })),
  items: (b.contents ?? []).flatMap((c) => {
    if (c.role === "model")
      return [{ role: "assistant", text: textOf(c.parts), call: c.parts.some((p) => p.functionCall) }];
    return c.parts.map((p) =>
      p.functionResponse
        ? {
            role: "tool",
            text: String(p.functionResponse.response?.output ?? JSON.stringify(p.functionResponse.response)),
          }
        : { role: "user", text: p.text ?? "" },
    );
  }),
});

/** The events of its stream. */
export async function* write(p, req) {
  const base = { modelVersion: req.model, responseId: id("gem") };
  const meta = (out) => ({
    promptTokenCount: p.input,
    candidatesTokenCount: out,
    totalTokenCount: p.input + out,
    ...(p.think && { thoughtsTokenCount: tokens(p.think) }),
  });
  const ch = (parts, finishReason, out = 0) => [
    undefined,
    {
      ...base,
      candidates: [{ index: 0, content: { role: "model", parts }, ...(finishReason && { finishReason }) }],
      usageMetadata: meta(out),
    },
  ];
  if (p.think) yield ch([{ text: `**Thinking**\n\n${p.think}`, thought: true }]);
  for (const text of pieces(p.text)) {
    yield null;
    yield ch([{ text }]);
  }
  const calls = p.calls.map((c) => ({
    functionCall: { id: c.id, name: c.name, args: c.args },
    thoughtSignature: "c3R1Yg==",
  }));
  yield ch(calls.length ? calls : [{ text: "" }], "STOP", outTokens(p));
}

/** What its stream comes to, where it is asked for as one body. */
export const fold = (all, p) => ({
  ...all.at(-1),
  candidates: [
    {
      ...all.at(-1).candidates[0],
      content: {
        role: "model",
        parts: [
          ...(p.think ? [{ text: p.think, thought: true }] : []),
          ...(p.text ? [{ text: p.text }] : []),
          ...p.calls.map((c) => ({ functionCall: { name: c.name, args: c.args } })),
        ],
      },
    },
  ],
});

const STATUS = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  429: "RESOURCE_EXHAUSTED",
  500: "INTERNAL",
  503: "UNAVAILABLE",
};
export const refusal = (status, message) => ({
  error: { code: status, message, status: STATUS[status] ?? "UNKNOWN" },
});
