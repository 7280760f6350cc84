/** Operations on GitHub: issues, pull requests, labels and comments, and the repository that is meant. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { repoIn, repoOf } from "../../../actors/operations/github/rest.ts";
import type { Asked } from "../../support/http-server.ts";
import { github, type Inputs, json } from "./github-server.ts";
import { callWith } from "./support.ts";

const brief = (asked: readonly Asked[]) =>
  asked.map(({ method, path, body }) => `${method} ${path}${body === "" ? "" : ` ${body}`}`);

const ISSUE = {
  number: 7,
  title: "Broken",
  body: null,
  state: "open",
  labels: [{ id: 1, name: "bug", color: "f00", description: null }],
  html_url: "https://github.com/a/b/issues/7",
};

describe("github.get_issue", () => {
  it("asks with the token and gives the fields that gh gives", async () => {
    const { run, asked } = await github(() => json(ISSUE));
    expect(await run("get_issue", { repo: "a/b", number: "7" })).toEqual({
      ok: true,
      outputs: {
        number: 7,
        title: "Broken",
        body: "",
        state: "OPEN",
        labels: [{ name: "bug", color: "f00", description: null }],
        url: "https://github.com/a/b/issues/7",
      },
      told: "a/b#7: Broken",
    });
    expect(asked).toMatchObject([
      {
        method: "GET",
        path: "/repos/a/b/issues/7",
        headers: { authorization: "Bearer ghp_canary", "x-github-api-version": "2022-11-28" },
      },
    ]);
  });

  it("gives only the fields that are wanted", async () => {
    const { run } = await github(() => json(ISSUE));
    expect(await run("get_issue", { repo: "a/b", number: 7, fields: ["title", "state"] })).toMatchObject({
      outputs: { title: "Broken", state: "OPEN" },
    });
    const end = await run("get_issue", { repo: "a/b", number: 7, fields: "title" });
    expect(end.outputs).toEqual({ title: "Broken" });
  });

  it("fails with GitHub's own words, never with the token", async () => {
    const { run } = await github(() => json({ message: "Not Found", errors: [{ message: "no such thing" }] }, 404));
    const end = await run("get_issue", { repo: "a/b", number: 7 });
    expect(end).toEqual({ ok: false, message: "GitHub answered 404: Not Found; no such thing" });
  });
});

it("github.get_pr gives branches, mergeability and the merge", async () => {
  const pr = {
    ...ISSUE,
    state: "closed",
    merged_at: "2026-01-01T00:00:00Z",
    head: { ref: "f" },
    base: { ref: "main" },
  };
  const { run, asked } = await github(() => json({ ...pr, mergeable: false }));
  expect((await run("get_pr", { repo: "a/b", number: 7 })).outputs).toMatchObject({
    state: "MERGED",
    headRefName: "f",
    baseRefName: "main",
    mergeable: "CONFLICTING",
    mergedAt: "2026-01-01T00:00:00Z",
  });
  expect(brief(asked)).toEqual(["GET /repos/a/b/pulls/7"]);
});

describe("github.create_pr", () => {
  const inputs = { repo: "a/b", title: "T", head: "f", base: "main", draft: "true" };

  it("opens one", async () => {
    const { run, asked } = await github(() => json({ number: 8, html_url: "https://github.com/a/b/pull/8" }, 201));
    expect((await run("create_pr", inputs)).outputs).toEqual({
      number: "8",
      url: "https://github.com/a/b/pull/8",
      already_exists: "false",
    });
    expect(brief(asked)).toEqual([
      'POST /repos/a/b/pulls {"title":"T","head":"f","base":"main","body":"","draft":true}',
    ]);
  });

  it("gives the one that is open already", async () => {
    const { run, asked } = await github(({ method }) =>
      method === "POST"
        ? json({ message: "Validation Failed", errors: [{ message: "A pull request already exists for a:f." }] }, 422)
        : json([{ number: 5, html_url: "https://github.com/a/b/pull/5" }]),
    );
    expect((await run("create_pr", inputs)).outputs).toEqual({
      number: "5",
      url: "https://github.com/a/b/pull/5",
      already_exists: "true",
    });
    expect(asked[1]?.path).toBe("/repos/a/b/pulls?head=a%3Af&base=main&state=open");
  });

  it("fails for any other fault", async () => {
    const { run } = await github(() =>
      json({ message: "Validation Failed", errors: [{ message: "no commits" }] }, 422),
    );
    expect(await run("create_pr", inputs)).toMatchObject({ ok: false, message: expect.stringContaining("no commits") });
  });
});

it("github.create_issue, add_labels and add_comment send what they are given", async () => {
  const { run, asked } = await github(() => json({ number: 9, id: 77, html_url: "https://github.com/x" }, 201));
  const outputs = async (name: string, inputs: Inputs) => (await run(name, { repo: "a/b", ...inputs })).outputs;
  expect(await outputs("create_issue", { title: "T", labels: "bug, ui" })).toEqual({
    number: "9",
    url: "https://github.com/x",
  });
  expect(await outputs("add_labels", { number: 7, labels: ["bug", "ui"] })).toEqual({ labels: "bug,ui" });
  expect(await outputs("add_comment", { number: 7, body: "Hi" })).toEqual({
    comment_id: "77",
    url: "https://github.com/x",
  });
  expect(brief(asked)).toEqual([
    'POST /repos/a/b/issues {"title":"T","body":"","labels":["bug","ui"],"assignees":[]}',
    'POST /repos/a/b/issues/7/labels {"labels":["bug","ui"]}',
    'POST /repos/a/b/issues/7/comments {"body":"Hi"}',
  ]);
});

it("github.list_comments reads all pages, up to the limit", async () => {
  const page = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: from + at, body: "b", user: { login: "ada" }, created_at: "t" }));
  const answer = ({ path }: Asked) => json(path.endsWith("&page=1") ? page(1, 100) : page(101, 30));
  const { run, asked } = await github(answer);
  const end = await run("list_comments", { repo: "a/b", number: 7 });
  expect(end.outputs).toMatchObject({ total: 130 });
  expect((end.outputs?.["comments"] as unknown[] | undefined)?.[129]).toMatchObject({
    id: "130",
    author: { login: "ada" },
  });
  expect((await run("list_comments", { repo: "a/b", number: 7, limit: 3 })).outputs).toMatchObject({ total: 3 });
  expect(asked).toHaveLength(3);
});

describe("the repository", () => {
  it("is that of the folder's origin where none is named", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "troupe-github-"));
    onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
    const { run, asked } = await github(() => json(ISSUE), cwd);
    await expect(run("get_issue", { number: 7 })).rejects.toMatchObject({ code: "USER.OPERATION.INVALID_INPUT" });
    execFileSync("git", ["init", "-q"], { cwd });
    execFileSync("git", ["remote", "add", "origin", "git@github.com:ada/engine.git"], { cwd });
    expect(await run("get_issue", { number: 7 })).toMatchObject({ ok: true });
    expect(asked[0]?.path).toBe("/repos/ada/engine/issues/7");
    expect(asked).toHaveLength(1);
  });

  it("is looked for no longer than its step takes, also where that ended before", async () => {
    const folder = mkdtempSync(join(tmpdir(), "troupe-github-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "git"), "#!/bin/sh\nexec sleep 60\n", { mode: 0o755 });
    const over = { environment: { PATH: `${folder}:/usr/bin:/bin` }, signal: AbortSignal.abort() };
    const began = performance.now();
    await expect(repoOf(null, callWith({}, over))).rejects.toMatchObject({ code: "USER.OPERATION.INVALID_INPUT" });
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it.each(["a/b/../../user", "../..", "../user", "a/..", "./b", "a/."])("is never another path: %s", async (named) => {
    const { run, asked } = await github(() => json(ISSUE));
    await expect(run("get_issue", { number: 7, repo: named })).rejects.toMatchObject({
      code: "USER.OPERATION.INVALID_INPUT",
      message: "inputs.repo: expected owner/name",
    });
    expect(asked).toEqual([]);
  });

  it.each([
    ["git@github.com:a/b.git\n", "a/b"],
    ["https://github.com/a/b", "a/b"],
    ["https://x-token@github.com/a/b.git", "a/b"],
    ["ssh://git@github.com:22/a/b.git", "a/b"],
    ["https://github.com.evil.example/a/b", null],
    ["https://evil.example/github.com/a/b", null],
    ["https://github.com/a/b/c", null],
    ["https://github.com/a/..", null],
    ["https://github.com/.a/..b", ".a/..b"],
    ["", null],
  ])("%j names %s", (remote, expected) => {
    expect(repoIn(remote)).toBe(expected);
  });
});
